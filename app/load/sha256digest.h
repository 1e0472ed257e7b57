// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "audit/datahash.h"

#include <memory>

/// Qt's SHA-256 for gguf::hashData.
std::unique_ptr<gguf::Digest> makeSha256Digest();
