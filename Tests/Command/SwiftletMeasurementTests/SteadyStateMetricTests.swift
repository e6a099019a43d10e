import SwiftletMeasurement
import Testing

@Suite("Steady-state metrics")
struct SteadyStateMetricTests {
  private let tolerance = SteadyStateMetric.Tolerance(share: 0.1, amount: 3)

  @Test("compare the medians of the first and the last tenth")
  func tenths() throws {
    let values = (0..<40).map { index in index == 1 ? 1000 : Double(index) }
    let figure = try #require(SteadyStateMetric("x", values, tolerance: tolerance))
    #expect(figure.first == 2.5 && figure.last == 37.5)
    let one = try #require(SteadyStateMetric("x", [5], tolerance: tolerance))
    #expect(one.first == 5 && one.last == 5 && one.isFlat)
    #expect(SteadyStateMetric("x", [], tolerance: tolerance) == nil)
  }

  @Test(
    "may increase by the larger of the two tolerances, and decrease without limit",
    arguments: [
      (100, 110, true), (100, 110.5, false), (10, 13, true), (10, 13.5, false), (100, 1, true), (0, 3, true),
      (100, Double.nan, false),
    ])
  func limit(first: Double, last: Double, isFlat: Bool) {
    #expect(SteadyStateMetric("x", first: first, last: last, tolerance: tolerance).isFlat == isFlat)
  }
}
