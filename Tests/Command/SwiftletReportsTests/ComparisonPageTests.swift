import SwiftletJSON
import SwiftletReports
import SwiftletTestSupport
import Testing

/// The pages that compare two files.
@Suite("Comparison pages")
struct ComparisonPageTests {
  private static let hostile = HTMLPageTests.hostileNames.joined(separator: " ")

  private static func side(_ name: String, _ median: Double) -> JSONValue {
    .object([
      "model": .string(name), "threads": .int(2), "runs": .int(30), "median_ms": .double(median),
      "low_ms": .double(median * 0.9), "high_ms": .double(median * 1.05), "spread": .string("tenths"),
    ])
  }

  /// Returns a comparison as the command writes it.
  private static func comparison(_ names: [String], threshold: Double? = 5) -> JSONValue {
    let file: JSONValue = .object([
      "file": .string("before/" + hostile), "version": .string("0.2.0"), "date": .string("2026-11-23T10:00:00Z"),
      "processor": .null, "cores": .int(2), "system": .null,
    ])
    return .object([
      "a": file, "b": file,
      "conditions": .array([
        .object(["name": .string("isa"), "a": .string("avx2"), "b": .string(hostile), "differs": .bool(true)]),
        .object(["name": .string("version"), "a": .string("1"), "b": .null, "differs": .null]),
      ]),
      "models": .array(
        names.enumerated().map { index, name in
          .object([
            "model": .string(name), "name": .string(name), "a": side(name, 2), "b": side(name, 1 + Double(index)),
            "ratio": .double((1 + Double(index)) / 2),
            "verdict": .string(["faster", "within_noise", "slower"][index % 3]),
          ])
        }),
      "geometric_mean": names.isEmpty ? .null : .double(0.9), "only_a": .strings([hostile]), "only_b": .strings([]),
      "threshold_percent": .optional(threshold), "slower": .strings(names.dropFirst(2)),
    ])
  }

  private static func change(_ what: String) -> JSONValue {
    .object(["what": .string(what), "a": .null, "b": .ints([1, 2])])
  }

  private static func steps() -> [JSONValue] {
    let operation: JSONValue = .object([
      "op": .string(hostile), "version": .int(1), "name": .string(hostile), "summary": .string("3×3"),
    ])
    return [
      .object(["step": .string("same"), "a": .int(0), "b": .int(0), "count": .int(7)]),
      .object([
        "step": .string("changed"), "a": .int(7), "b": .int(7), "operator": operation,
        "changes": .array([change("stride_w"), change(hostile)]),
      ]),
      .object(["step": .string("removed"), "a": .int(8), "operator": operation]),
      .object(["step": .string("added"), "b": .int(8), "operator": operation]),
    ]
  }

  /// Returns a difference as the command writes it, with the given number of rounds of operators.
  private static func difference(rounds: Int) -> JSONValue {
    let tensor: JSONValue = .object([
      "index": .int(3), "name": .string(hostile), "dtype": .string("float32"), "shape": .ints([1, 2]),
      "constant": .bool(true),
    ])
    return .object([
      "a": .string("x/m.tflite"), "b": .string("y/m.tflite"), "identical": .bool(false), "same_bytes": .bool(false),
      "facts": .array([
        .object(["what": .string("size_bytes"), "a": .int(1000), "b": .int(900)]),
        .object(["what": .string("multiply_adds"), "a": .null, "b": .int(7_000_000)]),
        .object(["what": .string("supported"), "a": .bool(true), "b": .bool(false)]),
      ]),
      "metadata": .array([change(hostile)]), "signatures": .array([change("signature.run.inputs")]),
      "subgraphs": .array([
        .object([
          "index": .int(0), "name_a": .string("main"), "name_b": .string("main"),
          "inputs_outputs": .array([change("input 0 shape")]), "operator_count_a": .int(9),
          "operator_count_b": .int(9),
          "same_operators": .int(7), "differing_operators": .int(3 * rounds), "kinds": .array([change("ADD")]),
          "operators": .array((0..<rounds).flatMap { _ in steps() }), "differing_tensors": .int(1),
          "tensors": .array([
            .object([
              "a": .int(1), "b": .int(2), "name_a": .string(hostile), "name_b": .string(hostile),
              "changes": .array([change("type")]),
            ])
          ]),
          "renamed_tensors": .int(4), "only_a_tensors": .int(1), "only_a": .array([tensor]), "only_b_tensors": .int(0),
          "only_b": .array([]), "compared_constants": .int(5), "differing_constants": .int(2),
          "constants": .array([
            .object([
              "a": .int(1), "b": .int(1), "name": .string(hostile), "compared": .string("values"),
              "elements": .int(8), "differing": .int(4),
              "share": .double(0.5), "max_abs": .double(0.25), "values_a": .string("1"), "values_b": .string("2"),
            ]),
            .object([
              "a": .int(2), "b": .int(2), "name": .string("w"), "compared": .string("incomparable"),
              "elements": .int(0), "differing": .int(0),
              "share": .null, "max_abs": .null, "values_a": .null, "values_b": .null,
            ]),
          ]),
        ]),
        .object([
          "index": .int(1), "name_a": .null, "name_b": .string("more"), "operator_count_a": .null,
          "operator_count_b": .int(2),
        ]),
      ]),
    ])
  }

  private static let pages: [(name: String, page: HTMLPage, parts: [String])] = [
    (
      "comparison", ComparisonPage.ofMeasurements("a", hostile, comparison(["m", hostile, "n"])),
      ["ratio slower", "ratio faster", "chip bad"]
    ),
    (
      "nothing in common", ComparisonPage.ofMeasurements("a", "b", comparison([], threshold: nil)),
      ["No model is in both files"]
    ),
    (
      "difference", ComparisonPage.ofModels("a", hostile, difference(rounds: 2)),
      ["class=\"removed\"", "class=\"added\"", "stride_w", "only in"]
    ),
    ("long difference", ComparisonPage.ofModels("a", "b", difference(rounds: 2000)), ["of 6,000 differences"]),
  ]

  @Test("are one file that loads nothing", arguments: pages.indices)
  func loadsNothing(index: Int) {
    let text = Self.pages[index].page.textWithoutData
    for part in ["http:", "https:", "src=", "@import", "url(", "fetch(", "innerHTML"] {
      #expect(!text.contains(part), "\(Self.pages[index].name): \(part)")
    }
  }

  @Test(
    "are rendered by a browser without an error, for any names",
    .enabled(if: Browser.isAvailable, "no Chromium is installed"), arguments: pages.indices)
  func drawn(index: Int) throws {
    let (name, page, parts) = Self.pages[index]
    let file = try PageFile(page)
    let visit = try Browser.document(ofPage: file.path)
    #expect(visit.console.isEmpty && visit.document.contains("data-ready=\"true\""), "\(name): \(visit.console)")
    #expect(
      !visit.document.contains("<title>taken") && !visit.document.contains("<b id=") && !visit.document.contains("<img")
    )
    for part in parts { #expect(visit.document.contains(part), "\(name): \(part)") }
  }

  @Test(
    "fit a phone, in light and dark mode", .enabled(if: Browser.isAvailable, "no Chromium is installed"),
    arguments: Browser.Scheme.allCases)
  func telephone(scheme: Browser.Scheme) throws {
    for index in [0, 2] {
      let file = try PageFile(Self.pages[index].page)
      let visit = try Browser.screenshot(ofPage: file.path, scheme: scheme, width: 500)
      #expect(try #require(visit.screenshot).colorCounts().count > 50)
    }
  }
}
