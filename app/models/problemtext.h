// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/problemmodel.h"

/// The words of the list of Problems.
namespace ProblemText {

QString severity(gguf::Severity severity); ///< "Error"
QString severities(gguf::Severity severity); ///< "Errors"
QString judge(ProblemModel::Judge judge); ///< the heading of what this judge minds
QString judges(const gguf::Judges& judges); ///< who minds, in sentences

QString cell(const gguf::Document& document, const gguf::Problem& problem, int column);

/// One of ProblemModel::DetailRole but JudgesRole, or empty.
QString detail(const gguf::Problem& problem, int role);

} // namespace ProblemText
