// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/tensormodel.h"
#include "support/ggufwriter.h"
#include "support/qt/await.h"
#include "window/documentview.h"
#include "window/mainwindow.h"
#include "window/messagearea.h"
#include "window/opening.h"
#include "window/settings.h"

#include <QRegularExpression>
#include <QStackedWidget>
#include <QTableView>
#include <QTemporaryDir>

#include <memory>

/// What tests through the real window share: a folder, settings of their own, and what a person looks at first.
class WindowJourney
{
protected:
    void begin()
    {
        // All but what the offscreen platform says of itself.
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support )")));
        m_folder = std::make_unique<QTemporaryDir>();
        m_settings = std::make_unique<Settings>(
            std::make_unique<QSettings>(m_folder->filePath(QStringLiteral("settings.ini")), QSettings::IniFormat));
        m_opening = std::make_unique<Opening>(*m_settings);
    }
    void end()
    {
        m_opening.reset();
        runQueued();
        m_settings.reset();
    }

    QString write(const GgufWriter& writer, const QString& name) const
    {
        const QString path = m_folder->filePath(name);
        writer.write(path.toStdString());
        return path;
    }
    static GgufWriter smallModel()
    {
        GgufWriter writer;
        writer.kv("general.architecture", std::string("llama")).kv("general.name", std::string("Small"));
        writer.tensor("blk.10.attn_q.weight", kF32, {64, 2});
        writer.tensor("blk.2.attn_q.weight", kF32, {32, 2});
        writer.tensor("output.weight", kF32, {8});
        return writer;
    }
    MainWindow& openWindow()
    {
        MainWindow* window = m_opening->newWindow();
        window->show();
        return *window;
    }
    MainWindow& openLoaded(const QString& path)
    {
        MainWindow& window = openWindow();
        window.openFile(path);
        finishLoading(window);
        return window;
    }
    static void finishLoading(MainWindow& window)
    {
        AWAIT(window.loader().state() != DocumentLoader::State::Loading && !window.loader().isInspecting());
    }

    static QString page(const MainWindow& window)
    {
        return window.findChild<QStackedWidget*>(QStringLiteral("pages"))->currentWidget()->objectName();
    }
    static QTableView& tensorView(MainWindow& window)
    {
        return *window.findChild<QTableView*>(QStringLiteral("tensorView"));
    }
    static QStringList tensorNames(MainWindow& window)
    {
        QStringList names;
        const QAbstractItemModel* model = tensorView(window).model();
        for (int row = 0; row < model->rowCount(); ++row)
            names.append(model->index(row, TensorModel::NameColumn).data().toString());
        return names;
    }
    static void clickRow(MainWindow& window, int row)
    {
        QTableView& view = tensorView(window);
        const QModelIndex index = view.model()->index(row, TensorModel::NameColumn);
        view.scrollTo(index);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.visualRect(index).center());
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Settings> m_settings;
    std::unique_ptr<Opening> m_opening;
};
