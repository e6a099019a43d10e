import SwiftletJSON
import Testing

@testable import SwiftletReports

@Suite("Page data")
struct PageDataTests {
  /// A model with a distinct value in every field.
  private static var model: ModelDescription {
    var constant = ModelDescription.Tensor(name: "w", type: "int8", shape: [2, 3], role: .constant, byteCount: 6)
    constant.quantization = .init(scales: [0.5, 0.25, 4, 1], zeroPoints: [3, -7, 9, 1], axis: 1)
    constant.values = "1, 2"
    var variable = ModelDescription.Tensor(name: "v", type: "float32", shape: [], role: .variable)
    variable.note = "a note"
    var input = ModelDescription.Tensor(name: "x", type: "uint8", shape: [1, 4], byteCount: 4)
    input.signature = [-1, 4]
    var operation = ModelDescription.Operator(
      name: "CONV_2D", version: 5, inputs: [0, nil, 1], outputs: [2],
      options: [.init(name: "stride_w", value: "2"), .init(name: "padding", value: "SAME")])
    operation.callees = [1]
    operation.summary = "3×3"
    operation.implementation = "GEMM"
    var model = ModelDescription(
      name: "m.tflite", byteCount: 1000, schemaVersion: 3, isSupported: true, constantByteCount: 600)
    model.description = "words"
    model.problem = "trouble"
    model.unsupported = [.init(subgraph: 4, index: 5, name: "ODD", version: 6, reason: "why")]
    model.packedByteCount = 700
    model.subgraphs = [
      .init(name: "main", tensors: [input, constant, variable], operators: [operation], inputs: [0], outputs: [2])
    ]
    model.signatures = [
      .init(key: "run", subgraph: 8, inputs: [.init(name: "in", tensor: 0)], outputs: [.init(name: "out", tensor: 2)])
    ]
    model.metadata = .object(["author": .string("A")])
    model.labels = ["cat", "dog"]
    model.arena = .init(
      byteCount: 800, operators: [.init(subgraph: 9, index: 10, name: "ADD")],
      blocks: [.init(offset: 64, byteCount: 32, first: 0, last: 0, tensors: [2], names: ["other"])], deferredCount: 11)
    return model
  }

  private static let families =
    #""families":["convolutions and products","pooling and reductions","arithmetic and activations","#
    + #""control, state and recurrence","custom operators","quantization and casts","resizing and look-ups","#
    + #""shapes and moving data"]"#

  @Test("a model's page has every field under its key")
  func model() {
    let text = ModelPage.json(Self.model).text
    let start =
      #"{"name":"m.tflite","bytes":1000,"version":3,"description":"words","supported":true,"problem":"trouble","#
      + #""unsupported":[{"graph":4,"index":5,"op":"ODD","version":6,"reason":"why"}],"constants":600,"packed":700,"#
      + Self.families + #","graphs":[{"name":"main","inputs":[0],"outputs":[2],"tensors":["#
      + #"{"name":"x","type":"uint8","shape":[1,4],"signature":[-1,4],"bytes":4},"#
      + #"{"name":"w","type":"int8","shape":[2,3],"role":"constant","bytes":6,"quantization":{"channels":4,"axis":1,"#
      + #""scales":[0.25,1.0,4.0],"zeros":[-7,9]},"values":"1, 2"},"#
      + #"{"name":"v","type":"float32","role":"variable","note":"a note"}],"operators":[{"op":"CONV_2D","version":5,"#
      + #""family":0,"inputs":[0,-1,1],"outputs":[2],"options":[["stride_w","2"],["padding","SAME"]],"callees":[1],"#
      + #""summary":"3×3","kernel":"GEMM"}],"#
    #expect(text.hasPrefix(start), "\(text)")
    let end =
      #""signatures":[{"key":"run","graph":8,"inputs":[{"name":"in","tensor":0}],"outputs":[{"name":"out","tensor":2}]}],"#
      + #""metadata":{"author":"A"},"labels":["cat","dog"],"labelCount":2,"arena":{"bytes":800,"#
      + #""operators":[[9,10,"ADD"]],"live":[32],"blocks":[{"offset":64,"bytes":32,"first":0,"last":0,"tensors":[2],"#
      + #""names":["other"]}],"deferred":11}}"#
    #expect(text.hasSuffix(end), "\(text)")
  }

  @Test("absent and empty values are omitted")
  func absent() {
    let nothing = ModelDescription(name: "", byteCount: 1, schemaVersion: 3, isSupported: false, constantByteCount: 2)
    #expect(
      ModelPage.json(nothing).text
        == #"{"bytes":1,"version":3,"supported":false,"constants":2,"# + Self.families + #","labelCount":0}"#)
    #expect(
      ModelPage.object([
        "a": nil, "b": .null, "c": .array([]), "d": .string(""), "e": .int(0), "f": .bool(false), "g": .object([]),
      ]).text == #"{"e":0,"f":false,"g":{}}"#)
  }

  @Test("a bundle's page has its members and models")
  func bundle() {
    var member = BundleDescription.Member(name: "a/b.tflite", byteCount: 5, kind: "model")
    member.model = 1
    var damaged = BundleDescription.Member(name: "c", byteCount: 0, kind: "damaged")
    damaged.problem = "cut"
    let model = ModelDescription(name: "n", byteCount: 1, schemaVersion: 3, isSupported: true, constantByteCount: 2)
    let bundle = BundleDescription(name: "b.task", members: [member, damaged], models: [model])
    #expect(
      ModelPage.json(bundle).text
        == #"{"bundle":"b.task","members":[{"name":"a/b.tflite","bytes":5,"kind":"model","model":1},"#
        + #"{"name":"c","bytes":0,"kind":"damaged","problem":"cut"}],"memberCount":2,"models":[{"name":"n","bytes":1,"#
        + #""version":3,"supported":true,"constants":2,"# + Self.families + #","labelCount":0}]}"#)
    let many = BundleDescription(
      name: "b", members: [BundleDescription.Member](repeating: damaged, count: 1001), models: [])
    let text = ModelPage.json(many).text
    #expect(text.split(separator: #""kind":"damaged""#).count == 1001 && text.contains(#""memberCount":1001"#))
    #expect(
      ModelPage.page(bundle).title == "b.task – swiftlet inspect"
        && ModelPage.page(bundle).data == ModelPage.json(bundle))
  }

  @Test("texts are truncated at their limits, and keep their original length", arguments: [1, 300, 20_000])
  func clipped(limit: Int) {
    let whole = String(repeating: "x", count: limit)
    #expect(ModelPage.clipped(whole, limit) == whole)
    #expect(ModelPage.clipped(whole + "y", limit) == whole + "… (\(limit + 1) characters)")
    #expect(ModelPage.clipped("", limit) == "")
  }

  /// Returns the page's data after a change of the model, such as a text of a given length.
  private func page(_ change: (inout ModelDescription) -> Void) -> String {
    var model = Self.model
    change(&model)
    return ModelPage.json(model).text
  }

  @Test("every text of a model has its limit")
  func limits() {
    func isCut(_ limit: Int, _ change: @escaping (inout ModelDescription, String) -> Void) -> Bool {
      let text = String(repeating: "z", count: limit)
      return !page { change(&$0, text) }.contains("characters)")
        && page { change(&$0, text + "z") }.contains("(\(limit + 1) characters)")
    }
    #expect(isCut(300) { $0.name = $1 })
    #expect(isCut(20_000) { $0.description = $1 })
    #expect(isCut(20_000) { $0.problem = $1 })
    #expect(isCut(300) { $0.unsupported[0].name = $1 })
    #expect(isCut(5000) { $0.unsupported[0].reason = $1 })
    #expect(isCut(300) { $0.subgraphs[0].name = $1 })
    #expect(isCut(300) { $0.subgraphs[0].tensors[0].name = $1 })
    #expect(isCut(500) { $0.subgraphs[0].tensors[0].values = $1 })
    #expect(isCut(500) { $0.subgraphs[0].tensors[0].note = $1 })
    #expect(isCut(300) { $0.subgraphs[0].operators[0].name = $1 })
    #expect(isCut(300) { $0.subgraphs[0].operators[0].options[0].name = $1 })
    #expect(isCut(1000) { $0.subgraphs[0].operators[0].options[0].value = $1 })
    #expect(isCut(200) { $0.subgraphs[0].operators[0].summary = $1 })
    #expect(isCut(100) { $0.subgraphs[0].operators[0].implementation = $1 })
    #expect(isCut(300) { $0.signatures[0].key = $1 })
    #expect(isCut(300) { $0.signatures[0].inputs[0].name = $1 })
    #expect(isCut(300) { $0.labels[0] = $1 })
    #expect(isCut(20_000) { $0.metadata = .array([.string($1)]) })
    #expect(isCut(300) { $0.arena?.operators[0].name = $1 })
    #expect(isCut(300) { $0.arena?.blocks[0].names[0] = $1 })
    let labels = page { $0.labels = [String](repeating: "l", count: 5001) }
    #expect(labels.split(separator: #""l""#).count == 5001 && labels.contains(#""labelCount":5001"#))
    let list = ModelPage.bounded(.ints(0..<1001)).text
    #expect(list.hasSuffix(",999]") && ModelPage.bounded(.object(["k": .ints(0..<1001)])).text.hasSuffix(",999]}"))
  }

  @Test("a diagnosis keeps every layer and tensor, and its other lists and texts have limits")
  func diagnosisLimits() {
    let lists = ModelPage.bounded(
      diagnosis: .object([
        "findings": .ints(0..<1001), "layers": .ints(0..<1001),
        "tensors": .array([.object(["counts": .ints(0..<1001)])]),
      ])
    ).text
    #expect(
      lists == "{\"findings\":\(JSONValue.ints(0..<1000).text),\"layers\":\(JSONValue.ints(0..<1001).text),"
        + "\"tensors\":[{\"counts\":\(JSONValue.ints(0..<1000).text)}]}")
    func isCut(_ limit: Int, _ diagnosis: (JSONValue) -> JSONValue) -> Bool {
      let text = String(repeating: "z", count: limit)
      return ModelPage.bounded(diagnosis: diagnosis(.string(text))) == diagnosis(.string(text))
        && ModelPage.bounded(diagnosis: diagnosis(.string(text + "z"))).text.contains("(\(limit + 1) characters)")
    }
    #expect(isCut(2000) { .object(["model": $0]) })
    #expect(isCut(2000) { .object(["findings": .array([.object(["message": $0])])]) })
    #expect(isCut(300) { .object(["layers": .array([.object(["tensor": $0])])]) })
    #expect(isCut(300) { .object(["tensors": .array([.object(["name": $0])])]) })
    #expect(isCut(2000) { .object(["layers": $0]) } && isCut(2000) { $0 })
  }

  @Test("the title of a page has up to 120 characters of the model's name")
  func titles() {
    var model = Self.model
    #expect(ModelPage.page(model).title == "m.tflite – swiftlet inspect")
    model.name = String(repeating: "n", count: 121)
    #expect(ModelPage.page(model).title == String(repeating: "n", count: 120) + "… (121 characters) – swiftlet inspect")
    let page = ComparisonPage.ofModels("a", String(repeating: "b", count: 61), .ints(0..<1001))
    #expect(page.title == "a and " + String(repeating: "b", count: 60) + "… (61 characters) – swiftlet inspect")
    #expect(page.data?.text.hasSuffix(",999]") == true && page.style == PageText.differenceStyle)
    #expect(
      page.script == PageText.sharedScript + "\n" + PageText.differenceScript && page.body == PageText.documentBody)
    let other = ComparisonPage.ofMeasurements("a", "b", .null)
    #expect(other.title == "a and b – swiftlet bench" && other.style == PageText.comparisonStyle)
    #expect(other.script == PageText.sharedScript + "\n" + PageText.comparisonScript)
    #expect(ModelPage.page(model).style == PageText.modelStyle && ModelPage.page(model).body == PageText.modelBody)
    #expect(ModelPage.page(model).script == PageText.sharedScript + "\n" + PageText.modelScript)
    let diagnosed = ModelPage.page(model, diagnosis: .null)
    #expect(diagnosed.title == String(repeating: "n", count: 120) + "… (121 characters) – swiftlet doctor")
    #expect(diagnosed.script == ModelPage.page(model).script && diagnosed.style == PageText.modelStyle)
  }

  @Test("files of pages are distinct, and end without an empty line")
  func files() {
    let texts = [
      PageText.sharedStyle, PageText.sharedScript, PageText.documentBody, PageText.modelStyle, PageText.modelBody,
      PageText.modelScript, PageText.measurementStyle, PageText.measurementScript, PageText.comparisonStyle,
      PageText.comparisonScript, PageText.differenceStyle, PageText.differenceScript,
    ]
    #expect(Set(texts).count == texts.count && texts.allSatisfy { !$0.isEmpty && $0.last != "\n" })
    // The last character of each file is its newline, and nothing else is removed.
    #expect(texts.filter { "}>;".contains($0.last ?? " ") }.count == texts.count)
  }

  @Test("quantization is summarized by its smallest, middle, and largest scale")
  func quantization() {
    typealias Quantization = ModelDescription.Tensor.Quantization
    #expect(Quantization(scales: [], zeroPoints: [], axis: 0) == nil)
    #expect(
      Quantization(scales: [3, 1, 2], zeroPoints: [5, -1, 2], axis: 2)
        == Quantization(
          channelCount: 3, axis: 2, smallestScale: 1, medianScale: 2, largestScale: 3, smallestZeroPoint: -1,
          largestZeroPoint: 5))
    #expect(Quantization(scales: [1, 2, 3, 4], zeroPoints: [], axis: 0)?.medianScale == 3)
    #expect(Quantization(scales: [1], zeroPoints: [], axis: 0)?.largestZeroPoint == 0)
  }

  @Test("bytes in use count the live blocks, also at the last operator")
  func liveBytes() {
    func block(_ bytes: Int, _ first: Int, _ last: Int) -> ModelDescription.Arena.Block {
      .init(offset: 0, byteCount: bytes, first: first, last: last, tensors: [])
    }
    func live(_ blocks: [ModelDescription.Arena.Block]) -> [Int] {
      ModelDescription.Arena(
        byteCount: 0, operators: (0..<3).map { .init(subgraph: 0, index: $0, name: "") }, blocks: blocks,
        deferredCount: 0
      ).liveBytes
    }
    #expect(live([block(1, 0, 0), block(2, 0, 1), block(4, 1, 2), block(8, 2, 2), block(16, 0, 2)]) == [19, 22, 28])
    // Blocks outside the run, or with an end before their start, are ignored.
    #expect(live([block(1, 0, 3), block(2, 3, 3), block(4, -1, 1), block(8, 2, 1)]) == [0, 0, 0])
  }

  // MARK: Measurements

  @Test("a measurement's page has every field under its key")
  func measurements() {
    var measurement = MeasurementDescription(
      name: "m", threads: 2, instructionSet: "avx2", isReducedPrecision: true, loadMilliseconds: 3,
      firstRunMilliseconds: 4, runMilliseconds: [5, 6], medianMilliseconds: 5.5, smallestMilliseconds: 5,
      slowMilliseconds: 6.5, arenaByteCount: 7, packedByteCount: 8, peakResidentByteCount: 9)
    measurement.operators = [
      .init(
        index: 10, name: "ADD", isCustom: false, output: "y", microseconds: 11, gigaOperationsPerSecond: 12,
        implementation: "vector"),
      .init(
        index: 13, name: "ADD", isCustom: true, output: "z", microseconds: 0, gigaOperationsPerSecond: 0,
        implementation: ""),
    ]
    #expect(
      MeasurementPage.page([measurement]).data?.text
        == "{" + Self.families
        + #","models":[{"name":"m","threads":2,"isa":"avx2","reduced":true,"load":3.0,"first":4.0,"#
        + #""runs":[5.0,6.0],"median":5.5,"min":5.0,"p95":6.5,"arena":7,"packed":8,"peak":9,"operators":["#
        + #"{"index":10,"op":"ADD","name":"y","family":2,"us":11.0,"gops":12.0,"kernel":"vector"},"#
        + #"{"index":13,"op":"ADD","name":"z","family":4,"us":0.0,"gops":0.0,"kernel":""}]}]}"#)
    measurement.operators[0].implementation = String(repeating: "k", count: 101)
    measurement.operators[0].output = String(repeating: "o", count: 301)
    let text = MeasurementPage.page([measurement]).data?.text ?? ""
    #expect(text.contains("k… (101 characters)") && text.contains("o… (301 characters)"))
  }

  @Test("the title names up to three models", arguments: [1, 3, 4])
  func measurementTitle(count: Int) {
    let names = ["a", String(repeating: "b", count: 61), "c", "d"]
    let page = MeasurementPage.page(
      names.prefix(count).map {
        MeasurementDescription(
          name: $0, threads: 1, instructionSet: "", isReducedPrecision: false, loadMilliseconds: 0,
          firstRunMilliseconds: 0, runMilliseconds: [], medianMilliseconds: 0, smallestMilliseconds: 0,
          slowMilliseconds: 0, arenaByteCount: 0, packedByteCount: 0, peakResidentByteCount: 0)
      })
    let second = String(repeating: "b", count: 60) + "… (61 characters)"
    let shown = count == 1 ? "a" : "a, \(second), c" + (count == 4 ? ", …" : "")
    #expect(page.title == shown + " – swiftlet bench")
    #expect(page.script == PageText.sharedScript + "\n" + PageText.measurementScript)
    #expect(page.style == PageText.measurementStyle && page.body == PageText.documentBody)
  }

  // MARK: HTML

  @Test("a page is a valid HTML document without empty parts")
  func document() {
    let plain = HTMLPage(title: "a & b", style: "p {}", body: "<p>x</p>").text
    #expect(
      plain.contains(
        #"content="default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; style-src 'unsafe-inline'; "#
          + #"script-src 'unsafe-inline'">"#))
    #expect(plain.contains("<title>a &amp; b</title>") && plain.contains("\np {}\n</style>"))
    #expect(plain.hasSuffix("<body>\n<p>x</p>\n</body>\n</html>\n"))
    var page = HTMLPage(title: "", body: "b", script: "go();", data: .string("<&>"))
    #expect(
      page.text.hasSuffix(
        "<body>\nb\n<script type=\"application/json\" id=\"data\">\"\\u003c\\u0026\\u003e\"</script>\n"
          + "<noscript><p class=\"note\">This page is drawn by a script inside it, and scripts are switched off.</p></noscript>\n"
          + "<script>\n(() => {\n\"use strict\";\ngo();\n})();\n</script>\n</body>\n</html>\n"))
    page.playsSoundsBesideIt = true
    #expect(page.text.contains("img-src data:; media-src 'self' file:; style-src"))
    #expect(page.bytes == Array(page.text.utf8))
    #expect(
      HTMLPage.escaped("<a href=\"x\">'&'\t\n\r\u{7}") == "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;\t\n\r\u{FFFD}")
    #expect(
      HTMLPage.inert(.object(["k\u{202E}": .array([.string("\u{202E}"), .int(1)])]))
        == "{\"k\u{FFFD}\":[\"\u{FFFD}\",1]}")
  }
}
