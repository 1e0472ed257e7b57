// SPDX-License-Identifier: GPL-3.0-or-later
#include "parse/parser.h"

#include "parse/layoutinference.h"
#include "parse/meaningchecks.h"
#include "parse/parsecontext.h"
#include "parse/recovery.h"

#include <new>

namespace gguf {

namespace {

// False where parsing stopped early.
bool parseSections(ParseContext& context, const ByteSource& source)
{
    if (!parseHeader(context, source))
        return false;
    context.publish();
    return parseMetadata(context) && parseTensors(context);
}

} // namespace

Document parse(const ByteSource& source, const ParseOptions& options)
{
    ParseContext context(source, options);
    DocumentBuilder& builder = context.builder;
    try {
        if (parseSections(context, source)) {
            // A tidy table leaves nothing to infer.
            if (!context.tidyTable.isTidy())
                inferLayouts(builder);
            judgeTensors(context);
            explainLayout(builder);
            checkMeaning(builder, options.fileName);
            builder.setStatus(Status::Ok);
        } else if (context.stopped()) {
            builder.setStatus(Status::Cancelled);
        } else if (builder.document().status() == Status::Parsing) {
            builder.setStatus(Status::Partial);
            explainLayout(builder);
        }
    } catch (const std::bad_alloc&) {
        // Bounded by the file's own bytes, yet more than this machine has: what was read before stays.
        builder.addProblem(Rule::MetadataTooLarge, {builder.document().parsedEnd(), 0}, {},
            "more metadata and tensor records than fit in this machine's memory");
        builder.setStatus(Status::Partial);
    }
    if (options.sink) {
        options.sink->progress(context.reader.position());
        options.sink->snapshot(builder.document());
    }
    return builder.document();
}

} // namespace gguf
