import SwiftletMeasurement
import Testing

@Suite("Latency histogram")
struct LatencyHistogramTests {
  @Test("quantiles cover all times, to the width of a class", arguments: [0.1, 0.5, 0.9, 1])
  func quantiles(share: Double) throws {
    var histogram = LatencyHistogram()
    let times = (1...1000).map { Double($0) * 0.013 }
    for time in times.reversed() { histogram.add(milliseconds: time) }
    let exact = Sample(times).quantile(share)
    let found = try #require(histogram.quantile(share))
    #expect(found >= exact && found < exact * 1.045)
    #expect(histogram.count == 1000)
  }

  @Test("times outside all classes count as the shortest and the longest")
  func ends() throws {
    var histogram = LatencyHistogram()
    for time in [-1, 0, .nan, 1e-9] { histogram.add(milliseconds: time) }
    #expect(try #require(histogram.quantile(1)) < 0.0011)
    for time in [1e9, .infinity] { histogram.add(milliseconds: time) }
    #expect(try #require(histogram.quantile(1)) > 1e6)
    #expect(histogram.count == 6)
  }

  @Test("without times, there is no quantile")
  func empty() { #expect(LatencyHistogram().quantile(0.9) == nil) }
}
