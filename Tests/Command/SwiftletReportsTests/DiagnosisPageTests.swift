import Foundation
import SwiftletJSON
import SwiftletReports
import SwiftletTestSupport
import Testing

@Suite("Diagnosis page")
struct DiagnosisPageTests {
  /// Returns the output of `doctor --json` for `ModelPageTests.model(count)`, in which operator 4 is wrong. All texts
  /// are `name`.
  static func diagnosis(_ count: Int, named name: String = "tensor", hasReference: Bool = true, isWrong: Bool = true)
    -> JSONValue
  {
    func figures(_ ratio: Double) -> JSONValue {
      guard hasReference else { return .null }
      return .object([
        "snr_db": .double(ratio), "cosine": .double(0.99), "largest_error": .double(0.5), "mean_shift": .double(0.01),
        "mean_ratio": .double(1), "scale": .double(1),
      ])
    }
    func place(_ index: Int) -> [JSONValue.Member] {
      [
        .init(key: "operator", value: .int(index)), .init(key: "op", value: .string(name)),
        .init(key: "tensor", value: .string("\(name) \(index)")),
        .init(key: "tensor_index", value: .int(2 * index + 2)),
        .init(key: "message", value: .string(name)), .init(key: "advice", value: .string(name)),
      ]
    }
    func histogram(_ peak: Int) -> JSONValue {
      .object([
        "minimum": .double(-1), "maximum": .double(1), "counts": .ints((0..<64).map { $0 == peak ? 1000 : $0 }),
      ])
    }
    let layers = (0..<count).map { index -> JSONValue in
      .object(
        place(index) + [
          .init(key: "total", value: figures(20)), .init(key: "inherited", value: figures(30)),
          .init(key: "added", value: figures(isWrong && index == 4 ? 7.25 : 38.5)),
          .init(key: "expected_snr_db", value: hasReference ? .double(38) : .null),
          .init(key: "excess_db", value: hasReference ? .double(isWrong && index == 4 ? 30.75 : -0.5) : .null),
          .init(key: "output_snr_db", value: .null), .init(key: "kernel", value: .string(name)),
          .init(key: "time_ms", value: .double(0.25)), .init(key: "time_share", value: .double(1 / Double(count))),
          .init(key: "multiply_adds", value: .int(1000)), .init(key: "roofline_share", value: .double(0.5)),
        ])
    }
    let tensors = (0..<count).map { index -> JSONValue in
      .object([
        "index": .int(2 * index + 2), "name": .string("\(name) \(index)"), "type": .string("int8"),
        "shape": .ints([1, 8, 8, 4]), "minimum": .double(-1), "maximum": .double(1),
        "representable": .array([.double(-0.5), .double(0.75)]), "levels_used": .int(200), "at_lowest": .double(0.25),
        "at_highest": .double(0), "constant_channels": .int(0), "not_finite": .int(0), "histogram": histogram(20),
        "reference_histogram": hasReference ? histogram(30) : .null,
      ])
    }
    let isWrong = isWrong && count > 4
    return .object([
      "model": .string(name), "reference": hasReference ? .string(name) : .null,
      "inputs": .object(["count": .int(32), "source": .string("synthetic")]),
      "findings": .array(
        isWrong
          ? ["error", "warning", "note"].map { severity in
            .object(
              [
                .init(key: "severity", value: .string(severity)), .init(key: "kind", value: .string("weights-scale")),
                .init(key: "subgraph", value: .int(0)),
              ] + place(4))
          } : []),
      "culprits": .array(
        isWrong && hasReference
          ? [
            .object(
              place(4) + [
                .init(key: "rank", value: .int(1)), .init(key: "cause", value: .string("weights-scale")),
                .init(key: "added_snr_db", value: .double(7.25)), .init(key: "expected_snr_db", value: .double(38)),
                .init(key: "output_snr_db", value: .double(5.5)),
              ])
          ] : []),
      "layers": .array(layers), "tensors": .array(tensors),
      "memory": .object(["arena_bytes": .int(960), "peak_operator": .int(0)]),
      "time": .object(["total_ms": .double(3), "peak_gops": .double(250), "bandwidth_gbs": .null]),
    ])
  }

  private static func page(_ count: Int, hasReference: Bool = true, isWrong: Bool = true) -> HTMLPage {
    ModelPage.page(
      ModelPageTests.model(count), diagnosis: diagnosis(count, hasReference: hasReference, isWrong: isWrong))
  }

  @Test("contains the model and the diagnosis")
  func data() throws {
    let page = try Self.page(12).object()
    #expect((page["graphs"] as? [[String: Any]])?.count == 2)
    let diagnosis = try #require(page["diagnosis"] as? [String: Any])
    let layers = try #require(diagnosis["layers"] as? [[String: Any]])
    #expect(layers.count == 12 && (diagnosis["tensors"] as? [Any])?.count == 12)
    #expect((layers[4]["added"] as? [String: Any])?["snr_db"] as? Double == 7.25)
    #expect(Self.page(1).title == "tensor – swiftlet doctor")
    #expect(try ModelPage.page(ModelPageTests.model(12)).object()["diagnosis"] == nil)
  }

  @Test("has the figures of every layer of a large model")
  func isComplete() throws {
    let diagnosis = try #require(try Self.page(1500).object()["diagnosis"] as? [String: Any])
    #expect((diagnosis["layers"] as? [Any])?.count == 1500 && (diagnosis["tensors"] as? [Any])?.count == 1500)
  }

  @Test("long names do not make it large")
  func isBounded() {
    let name = String(repeating: "long ", count: 40_000)
    let page = ModelPage.page(ModelPageTests.model(20, named: name), diagnosis: Self.diagnosis(20, named: name))
    #expect(page.bytes.count < 1_000_000)
  }

  // MARK: In a browser

  /// Returns the document of a page after its script has run, without its data and script.
  private func document(_ page: HTMLPage, _ fragment: String = "") throws -> String {
    let file = try PageFile(page)
    let visit = try Browser.document(ofPage: file.path, fragment: fragment)
    #expect(visit.console.isEmpty, "\(visit.console)")
    #expect(visit.document.contains("data-ready=\"true\""))
    return visit.document.components(separatedBy: "<script type=\"application/json\"")[0]
  }

  @Test(
    "a browser shows findings, culprits, and layers first",
    .enabled(if: Browser.isAvailable, "no Chromium is installed"))
  func view() throws {
    let text = try document(Self.page(12))
    #expect(text.contains("aria-controls=\"view-diagnosis\" aria-selected=\"true\""))
    for part in [
      "✕ Error", "⚠ Warning", "ℹ Note", "weights scale", "7.3 dB", "5.5 dB", "32 synthetic inputs", ">30.8<",
    ] {
      #expect(text.contains(part), "\(part)")
    }
    #expect(text.contains("href=\"#view=graph&amp;op=4\""))
    #expect(!text.contains("The model agrees") && !text.contains("No findings."))
  }

  @Test(
    "a browser states the agreement with the reference, and that there are no findings",
    .enabled(if: Browser.isAvailable, "no Chromium is installed"), arguments: [true, false])
  func agreement(hasReference: Bool) throws {
    let text = try document(Self.page(12, hasReference: hasReference, isWrong: false))
    let sentence = "The model agrees with its reference; no layer adds more error than quantization explains."
    #expect(text.contains(sentence) == hasReference && text.contains("No findings."))
  }

  @Test(
    "a browser colors the graph by a quantity, and writes its value into each node",
    .enabled(if: Browser.isAvailable, "no Chromium is installed"),
    arguments: [("added", "7.3 dB"), ("total", "20.0 dB"), ("time", "250 µs, 8.3 %"), ("operators", "")])
  func colors(color: String, value: String) throws {
    let text = try document(Self.page(12), "view=graph&color=" + color)
    #expect(text.components(separatedBy: "class=\"value\">").count - 1 == (color == "operators" ? 0 : 12))
    #expect(color == "operators" || text.contains("<span class=\"value\">\(value)</span>"))
    #expect(text.contains(color == "operators" ? "convolutions and products" : "not known"), "the legend")
  }

  @Test(
    "a browser shows the figures of an operator, and the values of a tensor",
    .enabled(if: Browser.isAvailable, "no Chromium is installed"), arguments: ["op=4", "tensor=10"])
  func panel(fragment: String) throws {
    let text = try document(Self.page(12), "view=graph&" + fragment)
    #expect(text.contains("Inherited</th>") == (fragment == "op=4"))
    #expect(text.contains("Histogram of tensor 4: -1 to 1, representable -0.5 to 0.75, 25 % at the lowest value"))
    #expect(text.contains("class=\"reference\"") && text.contains("not representable"))
  }

  @Test(
    "hostile names stay text", .enabled(if: Browser.isAvailable, "no Chromium is installed"),
    arguments: ["", "view=graph&op=4", "view=graph&tensor=10&color=__proto__"])
  func hostileNames(fragment: String) throws {
    let name = HTMLPageTests.hostileNames.joined(separator: " ")
    let file = try PageFile(
      ModelPage.page(ModelPageTests.model(6, named: name), diagnosis: Self.diagnosis(6, named: name)))
    let visit = try Browser.document(ofPage: file.path, fragment: fragment)
    #expect(visit.console.isEmpty, "\(visit.console)")
    #expect(visit.document.contains("data-ready=\"true\""))
    #expect(
      !visit.document.contains("<title>taken") && !visit.document.contains("<b id=") && !visit.document.contains("<img")
    )
    #expect(visit.document.components(separatedBy: "<script").count == 3, "the data and the script")
  }

  @Test(
    "a page without a diagnosis has none of its controls",
    .enabled(if: Browser.isAvailable, "no Chromium is installed"), arguments: ["", "view=diagnosis&color=added"])
  func ordinaryPage(fragment: String) throws {
    let text = try document(ModelPage.page(ModelPageTests.model(12)), fragment)
    let body = text.components(separatedBy: "<body").last ?? ""
    for part in [
      "view-diagnosis", "data-view=\"diagnosis\"", "id=\"color\"", "colored", "diagnosed", "class=\"value\"",
    ] {
      #expect(!body.contains(part), "\(part)")
    }
    #expect(body.contains("data-view=\"graph\" aria-controls=\"view-graph\" aria-selected=\"true\""))
  }

  @Test(
    "narrow and wide windows show it in light and dark mode",
    .enabled(if: Browser.isAvailable, "no Chromium is installed"), arguments: Browser.Scheme.allCases, [500, 1280])
  func screenshot(scheme: Browser.Scheme, width: Int) throws {
    let file = try PageFile(Self.page(12))
    let visit = try Browser.screenshot(ofPage: file.path, fragment: "view=graph&op=4", scheme: scheme, width: width)
    let colors = try #require(visit.screenshot).colorCounts()
    #expect(visit.console.isEmpty && colors.count > 200)
    // The strongest step of the scale, in the bar of operator 4.
    #expect((colors[scheme == .light ? 0xC2415C : 0xF0849A] ?? 0) > 50)
  }
}
