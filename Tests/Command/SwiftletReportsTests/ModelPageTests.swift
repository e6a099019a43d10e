import Foundation
import SwiftletJSON
import SwiftletReports
import SwiftletTestSupport
import Testing

@Suite("Model page")
struct ModelPageTests {
  /// Returns a model of `count` operators, each with a constant, with a memory plan. Every third operator also reads
  /// the output of the operator three before it. All texts are `name`.
  static func model(_ count: Int, named name: String = "tensor") -> ModelDescription {
    var tensors = [ModelDescription.Tensor(name: name, type: "int8", shape: [1, 8, 8, 4], byteCount: 256)]
    tensors[0].quantization = .init(scales: [0.5], zeroPoints: [3], axis: 0)
    var operators: [ModelDescription.Operator] = []
    var blocks: [ModelDescription.Arena.Block] = []
    for index in 0..<count {
      var weights = ModelDescription.Tensor(
        name: "\(name) weights \(index)", type: "int8", shape: [4, 1, 1, 4], role: .constant, byteCount: 16)
      weights.quantization = .init(scales: [0.25, 0.125, 1, 0.5], zeroPoints: [0, 0, 0, 0], axis: 0)
      var result = ModelDescription.Tensor(name: "\(name) \(index)", type: "int8", shape: [1, 8, 8, 4], byteCount: 256)
      result.note = name
      tensors += [weights, result]
      var inputs: [Int?] = [2 * index, 2 * index + 1]
      if index >= 3 && index % 3 == 0 { inputs.append(2 * index - 4) }
      inputs.append(nil)
      var operation = ModelDescription.Operator(
        name: index % 5 == 4 ? name : "CONV_2D", isCustom: index % 5 == 4, version: 2, inputs: inputs,
        outputs: [2 * index + 2],
        options: [.init(name: "stride_w", value: "2"), .init(name: name, value: name)])
      operation.summary = index % 2 == 0 ? "1×1, stride 2" : ""
      operators.append(operation)
      blocks.append(
        .init(
          offset: index % 3 * 320, byteCount: 256, first: index, last: min(index + 1, count - 1),
          tensors: [2 * index + 2]))
    }
    var model = ModelDescription(
      name: name, byteCount: 10_000, schemaVersion: 3, isSupported: false, constantByteCount: 16 * count)
    model.description = name
    model.problem = name
    model.unsupported = count > 1 ? [.init(subgraph: 0, index: 1, name: name, version: 2, reason: name)] : []
    model.subgraphs = [
      .init(name: name, tensors: tensors, operators: operators, inputs: [0], outputs: [2 * count]),
      .init(name: "body", tensors: [tensors[0]], operators: [], inputs: [0], outputs: [0]),
    ]
    model.signatures = [
      .init(
        key: name, subgraph: 0, inputs: [.init(name: name, tensor: 0)], outputs: [.init(name: name, tensor: 2 * count)])
    ]
    model.metadata = .object(["description": .string(name), "inputs": .array([.object(["name": .string(name)])])])
    model.labels = [name, "cat"]
    model.arena = .init(
      byteCount: 960, operators: operators.enumerated().map { .init(subgraph: 0, index: $0, name: $1.name) },
      blocks: blocks, deferredCount: 0)
    return model
  }

  @Test("is one file that loads nothing")
  func isSelfContained() {
    let text = ModelPage.page(Self.model(4)).textWithoutData
    for part in [
      "http:", "https:", "src=", "@import", "url(", "fetch(", "XMLHttpRequest", "innerHTML", "insertAdjacentHTML",
      "document.write", "eval(",
    ] {
      #expect(!text.contains(part), "\(part)")
    }
    #expect(text.contains("default-src 'none'"))
  }

  @Test("contains every operator and tensor, with options, shapes, quantization, and readers")
  func holdsEverything() throws {
    let page = try ModelPage.page(Self.model(12)).object()
    let graph = try #require((page["graphs"] as? [[String: Any]])?.first)
    let operators = try #require(graph["operators"] as? [[String: Any]])
    let tensors = try #require(graph["tensors"] as? [[String: Any]])
    #expect(operators.count == 12 && tensors.count == 25)
    #expect(operators[3]["inputs"] as? [Int] == [6, 7, 2, -1] && operators[3]["outputs"] as? [Int] == [8])
    #expect(operators[3]["options"] as? [[String]] == [["stride_w", "2"], ["tensor", "tensor"]])
    #expect(
      tensors[1]["role"] as? String == "constant" && tensors[1]["shape"] as? [Int] == [4, 1, 1, 4]
        && tensors[1]["bytes"] as? Int == 16)
    let quantization = try #require(tensors[1]["quantization"] as? [String: Any])
    #expect(quantization["channels"] as? Int == 4 && quantization["scales"] as? [Double] == [0.125, 0.5, 1])
    // An input, twelve operators, and an output, with a line per tensor that has a producer and a reader.
    #expect((graph["nodes"] as? [[Int]])?.count == 14)
    #expect(
      (graph["routes"] as? [[String: Any]])?.compactMap { $0["tensor"] as? Int } == [0] + (0..<12).map { 2 * $0 + 2 })
  }

  @Test("the arena's blocks equal the plan, and the bytes in use are their sum")
  func arena() throws {
    let model = Self.model(6)
    let plan = try #require(model.arena)
    let page = try #require(try ModelPage.page(model).object()["arena"] as? [String: Any])
    let blocks = try #require(page["blocks"] as? [[String: Any]])
    #expect(blocks.count == plan.blocks.count)
    for (block, planned) in zip(blocks, plan.blocks) {
      #expect(block["offset"] as? Int == planned.offset && block["bytes"] as? Int == planned.byteCount)
      #expect(
        block["first"] as? Int == planned.first && block["last"] as? Int == planned.last
          && block["tensors"] as? [Int] == planned.tensors)
    }
    #expect(page["live"] as? [Int] == [256, 512, 512, 512, 512, 512])
  }

  @Test("long texts and many labels do not make it large")
  func isBounded() throws {
    var model = Self.model(20, named: String(repeating: "long ", count: 40_000))
    model.labels = (0..<100_000).map { "label \($0)" }
    let page = ModelPage.page(model)
    #expect(page.bytes.count < 1_000_000)
    #expect((try page.object()["labelCount"] as? Int) == 100_000)
    #expect(ModelPage.page(Self.model(1500)).bytes.count < 1_500_000)
  }

  @Test("a model without operators, and an empty model, have a page")
  func emptyModels() throws {
    #expect(try ModelPage.page(Self.model(0)).object()["graphs"] != nil)
    let nothing = ModelDescription(name: "", byteCount: 0, schemaVersion: 3, isSupported: true, constantByteCount: 0)
    #expect(try ModelPage.page(nothing).object()["bytes"] as? Int == 0)
  }

  @Test("operator kinds have colors by family")
  func families() {
    func family(_ name: String) -> OperatorFamily { OperatorFamily(operatorNamed: name, isCustom: false) }
    #expect(
      family("CONV_2D") == .product && family("STABLEHLO_CONVOLUTION") == .product
        && family("STABLEHLO_DOT_GENERAL") == .product)
    #expect(
      family("AVERAGE_POOL_2D") == .reduction && family("STABLEHLO_REDUCE") == .reduction
        && family("ADD") == .arithmetic)
    #expect(
      family("UNIDIRECTIONAL_SEQUENCE_LSTM") == .control && family("WHILE") == .control
        && family("STABLEHLO_WHILE") == .control)
    #expect(
      family("DEQUANTIZE") == .conversion && family("GATHER_ND") == .lookup && family("RESIZE_BILINEAR") == .lookup)
    #expect(family("STRIDED_SLICE") == .movement && family("RESHAPE") == .movement && family("PADV2") == .movement)
    #expect(OperatorFamily(operatorNamed: "CONV_2D", isCustom: true) == .custom)
  }

  // MARK: In a browser

  private static let views = [
    "op=4", "tensor=3", "view=memory", "view=tensors", "view=model", "graph=1", "graph=9&op=-1&view=nothing",
  ]

  @Test(
    "a browser renders each view without an error", .enabled(if: Browser.isAvailable, "no Chromium is installed"),
    arguments: views)
  func drawn(fragment: String) throws {
    let file = try PageFile(ModelPage.page(Self.model(40)))
    let visit = try Browser.document(ofPage: file.path, fragment: fragment)
    #expect(visit.console.isEmpty, "\(visit.console)")
    #expect(visit.document.contains("data-ready=\"true\""))
    let boxes = visit.document.components(separatedBy: "data-node=").count - 1
    #expect(boxes == (fragment == "graph=1" ? 2 : fragment.contains("view") && !fragment.contains("nothing") ? 0 : 42))
  }

  @Test(
    "a browser's rendering of it is not blank, in light or dark mode",
    .enabled(if: Browser.isAvailable, "no Chromium is installed"), arguments: Browser.Scheme.allCases)
  func screenshot(scheme: Browser.Scheme) throws {
    let file = try PageFile(ModelPage.page(Self.model(40)))
    let visit = try Browser.screenshot(ofPage: file.path, scheme: scheme)
    let colors = try #require(visit.screenshot).colorCounts()
    #expect(visit.console.isEmpty && colors.count > 200)
    // The bar of a convolution's box, in the color of its family.
    #expect((colors[scheme == .light ? 0x2F6FD6 : 0x6AA5FF] ?? 0) > 200)
  }

  @Test(
    "hostile names stay text in every view", .enabled(if: Browser.isAvailable, "no Chromium is installed"),
    arguments: ["op=4", "view=memory", "view=operators", "view=model"])
  func hostileNames(fragment: String) throws {
    let file = try PageFile(ModelPage.page(Self.model(6, named: HTMLPageTests.hostileNames.joined(separator: " "))))
    let visit = try Browser.document(ofPage: file.path, fragment: fragment)
    #expect(visit.console.isEmpty, "\(visit.console)")
    #expect(visit.document.contains("data-ready=\"true\""))
    #expect(
      !visit.document.contains("<title>taken") && !visit.document.contains("<b id=") && !visit.document.contains("<img")
    )
    #expect(visit.document.components(separatedBy: "<script").count == 3, "the data and the script")
  }
}
