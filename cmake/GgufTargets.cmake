# SPDX-License-Identifier: GPL-3.0-or-later
# The compiler settings that every target of this project shares.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

add_library(gguf_options INTERFACE)
if(MSVC)
    target_compile_options(gguf_options INTERFACE /W4 /utf-8 $<$<BOOL:${GGUF_WERROR}>:/WX>)
else()
    target_compile_options(gguf_options INTERFACE
        -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow
        -Wold-style-cast -Wnon-virtual-dtor -Woverloaded-virtual
        $<$<BOOL:${GGUF_WERROR}>:-Werror>)
    if(GGUF_SANITIZE)
        target_compile_options(gguf_options INTERFACE
            -fsanitize=${GGUF_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
        target_link_options(gguf_options INTERFACE -fsanitize=${GGUF_SANITIZE})
    endif()
    if(GGUF_FUZZ)
        target_compile_options(gguf_options INTERFACE -fsanitize=fuzzer-no-link)
    endif()
    target_compile_definitions(gguf_options INTERFACE $<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>)
endif()

# gguf_library(NAME LINKS...): a static library of all sources in the current folder.
# Its public include path is the folder's parent, so that headers are named with
# their folder ("models/tensormodel.h") and only linked folders can be included.
function(gguf_library name)
    file(GLOB sources CONFIGURE_DEPENDS *.cpp *.h)
    add_library(${name} STATIC ${sources})
    target_include_directories(${name} PUBLIC "${CMAKE_CURRENT_SOURCE_DIR}/..")
    target_link_libraries(${name} PUBLIC ${ARGN} PRIVATE gguf_options)
    if(name MATCHES "^app_(widgets|panes|window)$")
        gguf_precompile(${name} widgets <QtWidgets/QtWidgets>)
    elseif(name MATCHES "^app_")
        gguf_precompile(${name} core <QtCore/QtCore>)
    endif()
endfunction()

# gguf_precompile(NAME KIND headers...): precompiles headers that nearly every file includes, where that was asked for.
# The first target of a kind does, and the others take what it made. They may link more of Qt than the first, not less.
function(gguf_precompile name kind)
    if(NOT GGUF_PRECOMPILE)
        return()
    endif()
    get_property(first GLOBAL PROPERTY GGUF_PRECOMPILED_${kind})
    if(first)
        target_precompile_headers(${name} REUSE_FROM ${first})
    else()
        target_precompile_headers(${name} PRIVATE ${ARGN} <algorithm> <memory> <optional> <string> <vector>)
        set_property(GLOBAL PROPERTY GGUF_PRECOMPILED_${kind} ${name})
    endif()
endfunction()
