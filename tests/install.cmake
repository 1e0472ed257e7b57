# SPDX-License-Identifier: GPL-3.0-or-later
# Installs the program into a folder and asks the desktop's own validators. Those that are not there are left out,
# unless REQUIRE is set.
#   cmake -DBUILD_DIR=... -DAPP_ID=... -DTREE=... [-DREQUIRE=ON] -P install.cmake
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE "${TREE}")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${TREE}/usr"
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)

set(share "${TREE}/usr/share")
foreach(file bin/gguf-inspector share/man/man1/gguf-inspector.1
        share/icons/hicolor/scalable/apps/${APP_ID}.svg share/icons/hicolor/symbolic/apps/${APP_ID}-symbolic.svg
        share/icons/hicolor/128x128/apps/${APP_ID}.png share/icons/hicolor/scalable/mimetypes/application-x-gguf.svg)
    if(NOT EXISTS "${TREE}/usr/${file}")
        message(FATAL_ERROR "not installed: ${file}")
    endif()
endforeach()

# ask(PROGRAM arguments...): fails where the program says no; its output must not say what REFUSE matches.
function(ask program)
    find_program(found_${program} ${program})
    if(NOT found_${program})
        if(REQUIRE)
            message(FATAL_ERROR "${program} is missing")
        endif()
        message(STATUS "left out: ${program} is missing")
        return()
    endif()
    execute_process(COMMAND "${found_${program}}" ${ARGN} RESULT_VARIABLE result
        OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT result EQUAL 0 OR (REFUSE AND output MATCHES "${REFUSE}"))
        message(FATAL_ERROR "${program} refuses:\n${output}")
    endif()
endfunction()

set(REFUSE "error|warning|hint")
ask(desktop-file-validate "${share}/applications/${APP_ID}.desktop")
set(REFUSE "")
ask(xmllint --noout "${share}/metainfo/${APP_ID}.metainfo.xml" "${share}/mime/packages/${APP_ID}.xml")
ask(appstreamcli validate-tree --no-net "${TREE}/usr")

ask(update-mime-database "${share}/mime")
if(EXISTS "${share}/mime/magic")
    file(STRINGS "${share}/mime/magic" magic LIMIT_COUNT 4 REGEX "application/x-gguf")
    file(STRINGS "${share}/mime/globs2" globs REGEX "application/x-gguf:\\*\\.gguf$")
    if(NOT magic OR NOT globs)
        message(FATAL_ERROR "the MIME type lacks its magic or its suffix")
    endif()
endif()
