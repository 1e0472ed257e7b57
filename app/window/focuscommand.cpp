// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/focuscommand.h"

#include <QMetaObject>
#include <QWidget>

bool callNearest(QWidget* from, const char* name)
{
    const QByteArray signature = QByteArray(name) + "()";
    for (QWidget* widget = from; widget; widget = widget->parentWidget()) {
        if (widget->metaObject()->indexOfSlot(signature.constData()) >= 0)
            return QMetaObject::invokeMethod(widget, name);
    }
    return false;
}
