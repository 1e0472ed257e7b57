// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/documentbuilder.h"

namespace gguf {

/// For each type id that ggml does not read or that two programs use for different layouts: tests which known layouts
/// need exactly the room that the offsets leave for every tensor of that id. Chooses the layout where the id
/// is known, only names the candidates where it is not. Needs the whole table and the
/// alignment; call before sizes are judged.
void inferLayouts(DocumentBuilder& builder);

} // namespace gguf
