import SwiftletEngine

/// A histogram of the values of a tensor, in steps of equal width.
public struct Histogram: Sendable, Hashable {
  /// The lower end of the first step.
  public var minimum: Float
  /// The upper end of the last step.
  public var maximum: Float
  /// The number of values in each step.
  public var counts: [Int]
}

/// The values that a tensor took over all inputs.
struct ValueRange: Sendable {
  private(set) var minimum = Float.infinity
  private(set) var maximum = -Float.infinity
  private(set) var notFiniteCount = 0
  private(set) var elementCount = 0
  /// The number of elements with each stored value of a type of 8 bits, from the lowest; empty for other types.
  private(set) var codeCounts: [Int]
  /// The number of elements with the lowest, and with the highest stored value.
  private(set) var lowestCount = 0
  private(set) var highestCount = 0
  /// The smallest and the largest value of each index of the last dimension.
  private(set) var channelMinimum: [Float]
  private(set) var channelMaximum: [Float]
  /// The number of floats by sign, exponent, and the upper 3 bits of the fraction; empty for types of 8 bits.
  private var floatCounts: [Int]
  private let format: NumberFormat

  /// The largest number of channels that are followed one by one.
  private static let maximumChannels = 1 << 16
  private static let floatShift = 20

  init(_ format: NumberFormat, channels: Int) {
    self.format = format
    let isByte = format.type == .int8 || format.type == .uint8
    codeCounts = isByte ? [Int](repeating: 0, count: 256) : []
    floatCounts = isByte ? [] : [Int](repeating: 0, count: 1 << (32 - Self.floatShift))
    let followed = channels <= Self.maximumChannels ? max(1, channels) : 1
    channelMinimum = [Float](repeating: .infinity, count: followed)
    channelMaximum = [Float](repeating: -.infinity, count: followed)
  }

  mutating func add(_ values: UnsafeBufferPointer<Float>, stored bytes: UnsafeRawBufferPointer) {
    elementCount += values.count
    let channels = channelMinimum.count
    channelMinimum.withUnsafeMutableBufferPointer { minima in
      channelMaximum.withUnsafeMutableBufferPointer { maxima in
        var channel = 0
        for value in values {
          if value.isFinite {
            if value < minima[channel] { minima[channel] = value }
            if value > maxima[channel] { maxima[channel] = value }
          } else {
            notFiniteCount += 1
          }
          channel += 1
          if channel == channels { channel = 0 }
        }
      }
    }
    for value in channelMinimum where value < minimum { minimum = value }
    for value in channelMaximum where value > maximum { maximum = value }
    guard let codes = format.codes else { return count(values) }
    if codeCounts.isEmpty {
      let stored = bytes.assumingMemoryBound(to: Int16.self)
      for code in stored {
        if Int32(code) == codes.lowerBound { lowestCount += 1 }
        if Int32(code) == codes.upperBound { highestCount += 1 }
      }
      return count(values)
    }
    let flip: UInt8 = format.type == .int8 ? 0x80 : 0
    codeCounts.withUnsafeMutableBufferPointer { counts in
      for byte in bytes { counts[Int(byte ^ flip)] += 1 }
    }
    (lowestCount, highestCount) = (codeCounts[0], codeCounts[255])
  }

  private mutating func count(_ values: UnsafeBufferPointer<Float>) {
    floatCounts.withUnsafeMutableBufferPointer { counts in
      for value in values { counts[Int(value.bitPattern >> UInt32(Self.floatShift))] += 1 }
    }
  }

  mutating func add(_ other: ValueRange) {
    minimum = min(minimum, other.minimum)
    maximum = max(maximum, other.maximum)
    notFiniteCount += other.notFiniteCount
    elementCount += other.elementCount
    lowestCount += other.lowestCount
    highestCount += other.highestCount
    for index in codeCounts.indices { codeCounts[index] += other.codeCounts[index] }
    for index in floatCounts.indices { floatCounts[index] += other.floatCounts[index] }
    for index in channelMinimum.indices {
      channelMinimum[index] = min(channelMinimum[index], other.channelMinimum[index])
      channelMaximum[index] = max(channelMaximum[index], other.channelMaximum[index])
    }
  }

  /// Returns the ranges of several workers, by tensor.
  static func merged(_ ranges: [[Int: ValueRange]]) -> [Int: ValueRange] {
    ranges.reduce(into: [:]) { total, each in
      for (tensor, range) in each where total[tensor]?.add(range) == nil { total[tensor] = range }
    }
  }

  /// The number of channels that have the same value in all inputs.
  var constantChannelCount: Int {
    zip(channelMinimum, channelMaximum).count { $0 == $1 }
  }

  /// The number of different stored values; `nil` for types of more than 8 bits.
  var levelCount: Int? { codeCounts.isEmpty ? nil : codeCounts.count { $0 > 0 } }

  /// The largest part of the elements that have the highest stored value although their neighbors are rare: values that
  /// the range cuts off.
  var clippedShareAtTop: Double { clippedShare(codeCounts.reversed()) }

  /// The same for the lowest stored value.
  var clippedShareAtBottom: Double { clippedShare(codeCounts) }

  private func clippedShare(_ counts: some Collection<Int>) -> Double {
    guard elementCount > 0, let end = counts.first else { return 0 }
    // Without clipping, a distribution fades out: the end holds no more than the values before it.
    let neighbors = counts.dropFirst().prefix(8)
    let expected = Double(neighbors.reduce(0, +)) / Double(max(1, neighbors.count))
    return max(0, Double(end) - 2 * expected) / Double(elementCount)
  }

  /// Returns the counts in steps of equal width.
  func histogram(from lower: Float, to upper: Float, steps: Int) -> Histogram {
    var counts = [Int](repeating: 0, count: steps)
    let width = upper > lower ? Double(upper - lower) / Double(steps) : 1
    func count(_ number: Int, from low: Float, to high: Float) {
      guard number > 0, low.isFinite, high.isFinite else { return }
      // Values between the ends of a class are spread evenly over the steps that the class covers.
      let first = min(max(Int((Double(low) - Double(lower)) / width), 0), steps - 1)
      let last = min(max(Int((Double(high) - Double(lower)) / width), 0), steps - 1)
      let span = last - first + 1
      for step in first...last {
        counts[step] += number / span + (step - first < number % span ? 1 : 0)
      }
    }
    if let codes = format.codes, !codeCounts.isEmpty {
      for (index, number) in codeCounts.enumerated() {
        let value = format.real(codes.lowerBound + Int32(index))
        count(number, from: value, to: value)
      }
    } else {
      for (index, number) in floatCounts.enumerated() where number > 0 {
        let low = Float(bitPattern: UInt32(index) << UInt32(Self.floatShift))
        let high = Float(bitPattern: UInt32(index) << UInt32(Self.floatShift) | (1 << UInt32(Self.floatShift) - 1))
        let ends = (min(low, high), max(low, high))
        guard ends.0.isFinite, ends.1.isFinite else { continue }
        count(number, from: max(ends.0, minimum), to: max(min(ends.1, maximum), max(ends.0, minimum)))
      }
    }
    return Histogram(minimum: lower, maximum: upper, counts: counts)
  }
}
