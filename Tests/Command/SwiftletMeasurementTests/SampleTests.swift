import SwiftletMeasurement
import Testing

@Suite("Samples")
struct SampleTests {
  @Test("the median is the middle value, or the mean of the two middle values")
  func median() {
    #expect(Sample([5, 1, 3]).median == 3)
    #expect(Sample([4, 1, 3, 2]).median == 2.5)
    #expect(Sample([7]).median == 7)
  }

  @Test("a quantile is the smallest value that enough values do not exceed")
  func quantile() {
    let sample = Sample((1...10).map(Double.init).reversed())
    #expect(sample.quantile(0) == 1)
    #expect(sample.quantile(0.1) == 1)
    #expect(sample.quantile(0.11) == 2)
    #expect(sample.quantile(0.9) == 9)
    #expect(sample.quantile(1) == 10)
    #expect(sample.smallest == 1 && sample.count == 10)
  }

  @Test("the geometric mean of 2 and one half is 1")
  func mean() throws {
    #expect(abs(try #require(geometricMean([2, 0.5])) - 1) < 1e-12)
    #expect(abs(try #require(geometricMean([2, 8])) - 4) < 1e-12)
    #expect(geometricMean([]) == nil)
  }
}
