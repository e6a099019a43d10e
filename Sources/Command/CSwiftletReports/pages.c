#include "swiftlet_reports.h"

// Clang has #embed in every version of C, and says of those before C23 that it is none of theirs.
#pragma clang diagnostic ignored "-Wc23-extensions"

#define TEXT_BYTES static const unsigned char
#define TEXT(name) \
  swiftlet_page_text swiftlet_##name(void) { return (swiftlet_page_text){name##_bytes, sizeof(name##_bytes)}; }

// The files of a text stand one behind the other.

// MARK: All pages

// Every color is a variable, so a page that uses them alone follows the reader's setting. Text on its background has
// a contrast of 4.5 and more in both. --series-0 to --series-7 are for kinds of things in charts; they differ in
// lightness too.
TEXT_BYTES shared_style_bytes[] = {
#embed "Shared/style.css"
};
TEXT_BYTES shared_script_bytes[] = {
// Elements, words for quantities, tabs. Text gets into the document as text only: nothing here, or in a page's script,
// writes markup.
#embed "Shared/elements.js" suffix(, )
// A table that can be sorted by each column and filtered by words, for pages with thousands of rows.
#embed "Shared/table.js"
};

// MARK: Pages that are read from top to bottom

TEXT_BYTES document_body_bytes[] = {
#embed "Shared/document.html"
};

// MARK: The page about a model

TEXT_BYTES model_style_bytes[] = {
#embed "Model/style.css"
};
TEXT_BYTES model_body_bytes[] = {
#embed "Model/body.html"
};
TEXT_BYTES model_script_bytes[] = {
// The model's data made ready: absent lists filled in, makers and readers of tensors found.
#embed "Model/data.js" suffix(, )
// The panel at the side: what is known of the chosen operator or tensor, with links to its neighbors.
#embed "Model/panel.js" suffix(, )
// Draws the graph that the layout has placed, the picture of all of it in the corner, and what is chosen.
#embed "Model/graph.js" suffix(, )
// Moves the graph: wheel, pointer, two fingers, buttons and keys.
#embed "Model/navigation.js" suffix(, )
// The memory of a run: how much is in use during each operator, and which tensor lies where.
#embed "Model/memory.js" suffix(, )
// All operators and all tensors of a graph as tables that can be sorted and filtered.
#embed "Model/tables.js" suffix(, )
// What there is to know about the model as a whole.
#embed "Model/facts.js" suffix(, )
// What is shown, kept in the address so that a place in the page can be passed on, and the search.
#embed "Model/main.js"
};

// MARK: The page about measurements

TEXT_BYTES measurement_style_bytes[] = {
#embed "Shared/document.css" suffix(, )
#embed "Measurements/style.css"
};
TEXT_BYTES measurement_script_bytes[] = {
// Figures and tables of pages that are read from top to bottom.
#embed "Shared/document.js" suffix(, )
// The drawings.
#embed "Measurements/chart.js" suffix(, )
// Puts the page together: the models side by side, then one of them in full.
#embed "Measurements/main.js"
};

// MARK: The page that compares two measurements

TEXT_BYTES comparison_style_bytes[] = {
#embed "Shared/document.css" suffix(, )
#embed "Comparison/style.css"
};
TEXT_BYTES comparison_script_bytes[] = {
#embed "Shared/document.js" suffix(, )
#embed "Comparison/main.js"
};

// MARK: The page about what differs between two models

TEXT_BYTES difference_style_bytes[] = {
#embed "Shared/document.css" suffix(, )
#embed "Difference/style.css"
};
TEXT_BYTES difference_script_bytes[] = {
#embed "Shared/document.js" suffix(, )
// The operators of both models side by side.
#embed "Difference/operators.js" suffix(, )
// Puts the page together.
#embed "Difference/main.js"
};

TEXT(shared_style)
TEXT(shared_script)
TEXT(document_body)
TEXT(model_style)
TEXT(model_body)
TEXT(model_script)
TEXT(measurement_style)
TEXT(measurement_script)
TEXT(comparison_style)
TEXT(comparison_script)
TEXT(difference_style)
TEXT(difference_script)
