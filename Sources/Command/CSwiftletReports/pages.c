#include "swiftlet_reports.h"

// Clang supports #embed in every C standard, but warns before C23 that it is an extension.
#pragma clang diagnostic ignored "-Wc23-extensions"

#define TEXT_BYTES static const unsigned char
#define TEXT(name) \
  swiftlet_page_text swiftlet_##name(void) { return (swiftlet_page_text){name##_bytes, sizeof(name##_bytes)}; }

// The files of a page are concatenated.

// MARK: All pages

// Every color is a variable, so a page that uses only these follows the reader's light or dark setting. Text has a
// contrast of at least 4.5 on its background in both. --series-0 to --series-7 are the colors of chart categories; they
// also differ in lightness.
TEXT_BYTES shared_style_bytes[] = {
#embed "Shared/style.css"
};
TEXT_BYTES shared_script_bytes[] = {
// Elements, formatted quantities, and tabs. Text is inserted into the document as text only: neither this file nor a
// page's script writes markup.
#embed "Shared/elements.js" suffix(, )
// A table that can be sorted by each column and filtered by text, for pages with thousands of rows.
#embed "Shared/table.js"
};

// MARK: Document pages

TEXT_BYTES document_body_bytes[] = {
#embed "Shared/document.html"
};

// MARK: Model page

TEXT_BYTES model_style_bytes[] = {
#embed "Model/style.css" suffix(, )
#embed "Model/diagnosis.css"
};
TEXT_BYTES model_body_bytes[] = {
#embed "Model/body.html"
};
TEXT_BYTES model_script_bytes[] = {
// Prepares the model's data: fills in absent lists, and finds the producers and consumers of tensors.
#embed "Model/data.js" suffix(, )
// The side panel: details of the selected operator or tensor, with links to its neighbors.
#embed "Model/panel.js" suffix(, )
// Draws the laid-out graph, the overview in the corner, and the selection.
#embed "Model/graph.js" suffix(, )
// Pans and zooms the graph: wheel, pointer, two fingers, buttons, and keys.
#embed "Model/navigation.js" suffix(, )
// The memory of a run: how much is in use during each operator, and where each tensor is.
#embed "Model/memory.js" suffix(, )
// Tables of all operators and all tensors of a graph, which can be sorted and filtered.
#embed "Model/tables.js" suffix(, )
// Facts about the model as a whole.
#embed "Model/facts.js" suffix(, )
// The diagnosis by `swiftlet doctor`, if the data contains one: the view, and the figures in the side panel.
#embed "Model/diagnosis.js" suffix(, )
// Colors the graph by error or time.
#embed "Model/coloring.js" suffix(, )
// Histograms of tensors, in the side panel and in tooltips.
#embed "Model/histogram.js" suffix(, )
// The search, and the page's state, which is kept in the URL so that a view can be shared.
#embed "Model/main.js"
};

// MARK: Measurement page

TEXT_BYTES measurement_style_bytes[] = {
#embed "Shared/document.css" suffix(, )
#embed "Measurements/style.css"
};
TEXT_BYTES measurement_script_bytes[] = {
// Figures and tables of pages that are read from top to bottom.
#embed "Shared/document.js" suffix(, )
// The charts.
#embed "Measurements/chart.js" suffix(, )
// Builds the page: the models side by side, then one of them in full.
#embed "Measurements/main.js"
};

// MARK: Measurement comparison page

TEXT_BYTES comparison_style_bytes[] = {
#embed "Shared/document.css" suffix(, )
#embed "Comparison/style.css"
};
TEXT_BYTES comparison_script_bytes[] = {
#embed "Shared/document.js" suffix(, )
#embed "Comparison/main.js"
};

// MARK: Model difference page

TEXT_BYTES difference_style_bytes[] = {
#embed "Shared/document.css" suffix(, )
#embed "Difference/style.css"
};
TEXT_BYTES difference_script_bytes[] = {
#embed "Shared/document.js" suffix(, )
// The operators of both models side by side.
#embed "Difference/operators.js" suffix(, )
// Builds the page.
#embed "Difference/main.js"
};

// MARK: Studio

TEXT_BYTES studio_style_bytes[] = {
#embed "Studio/style.css"
};
TEXT_BYTES studio_body_bytes[] = {
#embed "Studio/body.html"
};
TEXT_BYTES studio_script_bytes[] = {
// Requests to the program, and their answers.
#embed "Studio/api.js" suffix(, )
// The list of tasks, and the models of the chosen one.
#embed "Studio/tasks.js" suffix(, )
// The controls of the options.
#embed "Studio/controls.js" suffix(, )
// Files, pasted images, samples, and texts.
#embed "Studio/inputs.js" suffix(, )
// The image and its overlay.
#embed "Studio/stage.js" suffix(, )
// Draws results over the image.
#embed "Studio/overlay.js" suffix(, )
// The frames of the camera and of video files.
#embed "Studio/camera.js" suffix(, )
// Recordings and the microphone.
#embed "Studio/sound.js" suffix(, )
// The parts of the list of results.
#embed "Studio/forms.js" suffix(, )
// The list of results.
#embed "Studio/results.js" suffix(, )
// The chart of the latency.
#embed "Studio/latency.js" suffix(, )
// The Swift code and the command line.
#embed "Studio/code.js" suffix(, )
// The panel with the report on a model.
#embed "Studio/model.js" suffix(, )
// The state, which is kept in the URL, and the start.
#embed "Studio/main.js"
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
TEXT(studio_style)
TEXT(studio_body)
TEXT(studio_script)
