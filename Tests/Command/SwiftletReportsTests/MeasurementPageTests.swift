import SwiftletReports
import SwiftletTestSupport
import Testing

@Suite("Measurement page")
struct MeasurementPageTests {
  private static func measurement(_ name: String, operators: Int, runs: Int = 25) -> MeasurementDescription {
    let times = (0..<runs).map { (run: Int) -> Double in 2 + Double(run * 7 % 11) / 10 }
    var measurement = MeasurementDescription(
      name: name, threads: 2, instructionSet: "avx2", isReducedPrecision: false, loadMilliseconds: 3,
      firstRunMilliseconds: 4, runMilliseconds: times,
      medianMilliseconds: 2.5, smallestMilliseconds: 2, slowMilliseconds: 2.9, arenaByteCount: 5000,
      packedByteCount: 600, peakResidentByteCount: 7_000_000)
    let names = ["CONV_2D", "ADD", name]
    measurement.operators = (0..<operators).map { (index: Int) -> MeasurementDescription.Operator in
      let kind = index % 3
      return .init(
        index: 2 * index, name: names[kind], isCustom: kind == 2, output: "\(name) \(index)",
        microseconds: Double(100 - index % 50), gigaOperationsPerSecond: kind == 0 ? 40 : 0,
        implementation: "GEMM \(index)")
    }
    return measurement
  }

  @Test("is one file that loads nothing, with every run and operator of every model")
  func holdsEverything() throws {
    let page = MeasurementPage.page([
      Self.measurement("a.tflite", operators: 7), Self.measurement("b.tflite", operators: 0),
    ])
    for part in ["http:", "https:", "src=", "@import", "url(", "fetch(", "innerHTML"] {
      #expect(!page.textWithoutData.contains(part), "\(part)")
    }
    let models = try #require(try page.object()["models"] as? [[String: Any]])
    #expect(models.map { $0["name"] as? String } == ["a.tflite", "b.tflite"])
    #expect((models[0]["runs"] as? [Double])?.prefix(3) == [2, 2.7, 2.3])
    let operators = try #require(models[0]["operators"] as? [[String: Any]])
    #expect(operators.map { $0["index"] as? Int } == [0, 2, 4, 6, 8, 10, 12])
    #expect(operators[2]["kernel"] as? String == "GEMM 2")
    #expect(operators[0]["us"] as? Double == 100 && operators[0]["gops"] as? Double == 40)
  }

  @Test(
    "a browser renders it without an error, for any names",
    .enabled(if: Browser.isAvailable, "no Chromium is installed"), arguments: ["model=1", "model=2", "model=99"])
  func drawn(fragment: String) throws {
    let hostile = HTMLPageTests.hostileNames.joined(separator: " ")
    let file = try PageFile(
      MeasurementPage.page([
        Self.measurement("plain", operators: 40), Self.measurement(hostile, operators: 9, runs: 1),
        Self.measurement("none", operators: 0, runs: 900),
      ]))
    let visit = try Browser.document(ofPage: file.path, fragment: fragment)
    #expect(visit.console.isEmpty, "\(visit.console)")
    #expect(visit.document.contains("data-ready=\"true\""))
    #expect(
      !visit.document.contains("<title>taken") && !visit.document.contains("<b id=") && !visit.document.contains("<img")
    )
    let bars = visit.document.components(separatedBy: "class=\"operator\"").count - 1
    #expect(bars == ["model=1": 9, "model=2": 0, "model=99": 40][fragment])
  }

  @Test(
    "a browser's rendering of it is not blank, in light or dark mode",
    .enabled(if: Browser.isAvailable, "no Chromium is installed"), arguments: Browser.Scheme.allCases)
  func screenshot(scheme: Browser.Scheme) throws {
    let file = try PageFile(
      MeasurementPage.page([Self.measurement("plain", operators: 40), Self.measurement("other", operators: 4)]))
    let visit = try Browser.screenshot(ofPage: file.path, scheme: scheme, height: 1600)
    let colors = try #require(visit.screenshot).colorCounts()
    #expect(visit.console.isEmpty && colors.count > 100)
    #expect((colors[scheme == .light ? 0x2F6FD6 : 0x6AA5FF] ?? 0) > 1000)
  }
}
