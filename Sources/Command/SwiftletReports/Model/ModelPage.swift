/// The page about a model: its graph, what is in it, and the memory that a run takes.
package enum ModelPage {
  /// - Complexity: linear in the size of the description, except for the graph's layout. Constants are not in the page.
  package static func page(_ model: ModelDescription) -> HTMLPage {
    HTMLPage(
      title: "\(clipped(model.name, 120)) – swiftlet inspect", style: ModelPageStyle.text, body: body,
      script: [
        PageScript.text, TableScript.text, ModelDataScript.text, ModelPanelScript.text, ModelGraphScript.text,
        ModelNavigationScript.text, ModelMemoryScript.text,
        ModelTablesScript.text, ModelFactsScript.text, ModelMainScript.text,
      ].joined(separator: "\n"),
      data: json(model))
  }

  /// Texts of a model may be of any length, and files may use one text many times.
  static func clipped(_ text: String, _ limit: Int) -> String {
    let scalars = text.unicodeScalars
    guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
      end != scalars.endIndex
    else { return text }
    return String(scalars[..<end]) + "… (\(scalars.count) characters)"
  }

  private static let body = #"""
    <header class="top">
      <div class="heading"><h1 id="title"></h1><p id="subtitle" class="muted"></p></div>
      <div class="search">
        <input type="search" id="search" placeholder="Search ( / )" role="combobox" aria-expanded="false"
          aria-controls="hits" aria-autocomplete="list" aria-label="Search operators and tensors" autocomplete="off" spellcheck="false">
        <ul id="hits" role="listbox" aria-label="Found" hidden></ul>
      </div>
      <div class="tabs" role="tablist" aria-label="Views">
        <button role="tab" data-view="graph" aria-controls="view-graph">Graph</button>
        <button role="tab" data-view="memory" aria-controls="view-memory">Memory</button>
        <button role="tab" data-view="operators" aria-controls="view-operators">Operators</button>
        <button role="tab" data-view="tensors" aria-controls="view-tensors">Tensors</button>
        <button role="tab" data-view="model" aria-controls="view-model">Model</button>
      </div>
    </header>
    <main>
      <section id="view-graph" class="view" role="tabpanel" aria-label="Graph">
        <div id="canvas" tabindex="0" aria-label="Graph. Drag or use the arrow keys to move, plus and minus or the wheel to zoom, 0 for natural size, F to fit. Enter goes to the operators, where the arrow keys follow the graph.">
          <div id="world"><svg id="edges" aria-hidden="true"></svg><div id="nodes"></div></div>
        </div>
        <div class="bar left"><label class="visually-hidden" for="subgraph">Subgraph</label><select id="subgraph"></select></div>
        <div class="bar right" role="group" aria-label="Zoom">
          <button id="zoom-in" title="Zoom in (+)" aria-label="Zoom in">+</button>
          <button id="zoom-out" title="Zoom out (−)" aria-label="Zoom out">−</button>
          <button id="zoom-one" title="Natural size (0)">1:1</button>
          <button id="zoom-width" title="Fit the width (W)">Width</button>
          <button id="zoom-fit" title="Fit all of it (F)">Fit</button>
          <output id="zoom-level" aria-live="off"></output>
        </div>
        <div id="overview" aria-hidden="true"><canvas id="overview-picture"></canvas><div id="overview-frame"></div></div>
        <div id="legend" class="legend"></div>
      </section>
      <section id="view-memory" class="view page" role="tabpanel" aria-label="Memory" hidden></section>
      <section id="view-operators" class="view page" role="tabpanel" aria-label="Operators" hidden></section>
      <section id="view-tensors" class="view page" role="tabpanel" aria-label="Tensors" hidden></section>
      <section id="view-model" class="view page" role="tabpanel" aria-label="Model" hidden></section>
    </main>
    <aside id="panel" aria-label="Details"></aside>
    <div id="tip" role="tooltip" hidden></div>
    """#
}
