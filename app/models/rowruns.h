// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

/// One stretch of rows to take away or to put in.
struct RowRun
{
    bool insert = false;
    std::size_t row = 0; ///< where, after all runs before it
    std::size_t count = 0;
    std::size_t source = 0; ///< where the new rows stand in the wanted ones
};

/// The runs that turn `shown` into `wanted`, both in the same order (by `less`) and without doubles. Where they would
/// be more than `most`, everything is taken away and put in again, which costs less than so many signals.
template <class Row, class Less>
std::vector<RowRun> rowRuns(
    const std::vector<Row>& shown, const std::vector<Row>& wanted, Less less, std::size_t most = 200)
{
    std::vector<RowRun> runs;
    std::size_t old = 0;
    std::size_t now = 0; // also the row, since all before it is done
    while (old < shown.size() || now < wanted.size()) {
        if (now == wanted.size() || (old < shown.size() && less(shown[old], wanted[now]))) {
            RowRun run{false, now, 0, 0};
            for (; old < shown.size() && (now == wanted.size() || less(shown[old], wanted[now])); ++old)
                ++run.count;
            runs.push_back(run);
        } else if (old == shown.size() || less(wanted[now], shown[old])) {
            RowRun run{true, now, 0, now};
            for (; now < wanted.size() && (old == shown.size() || less(wanted[now], shown[old])); ++now)
                ++run.count;
            runs.push_back(run);
        } else {
            ++old;
            ++now;
        }
        if (runs.size() > most) {
            runs.clear();
            if (!shown.empty())
                runs.push_back({false, 0, shown.size(), 0});
            if (!wanted.empty())
                runs.push_back({true, 0, wanted.size(), 0});
            break;
        }
    }
    return runs;
}
