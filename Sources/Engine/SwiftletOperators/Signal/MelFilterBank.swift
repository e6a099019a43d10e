import SwiftletBase
import SwiftletEngine

/// Triangular filters at even distances of the mel scale.
///
/// - Source: the filter bank of the `Mfcc` operator, which follows HTK: every frequency counts to at most two filters,
///   falling in one and rising in the next; the constant part counts to none.
struct MelFilterBank: Sendable {
  let filters: Int
  /// The frequencies that count; empty when the spectrum is too short for them.
  private let used: Range<Int>
  /// For each used frequency the filter that it falls in, -1 for the first's rising side.
  private let falling: [Int]
  private let weights: [Double]

  /// Whether the numbers make sense.
  static func takes(filters: Int, frequencies: Int, sampleRate: Double, limits: (lower: Double, upper: Double)) -> Bool
  {
    filters >= 1 && filters <= 1 << 20 && sampleRate > 0 && frequencies >= 2 && limits.lower >= 0
      && limits.upper > limits.lower
      && limits.upper.isFinite
  }

  /// `nil` when the numbers make no sense. Makes tables of as many elements as there are frequencies and filters.
  ///
  /// - Parameters:
  ///   - frequencies: how many the spectrum has, from 0 to half the sample rate.
  ///   - limits: the frequencies that the filters span, in Hertz.
  init?(filters: Int, frequencies: Int, sampleRate: Double, limits: (lower: Double, upper: Double)) {
    guard Self.takes(filters: filters, frequencies: frequencies, sampleRate: sampleRate, limits: limits) else {
      return nil
    }
    let lowest = Self.mel(limits.lower)
    let spacing = (Self.mel(limits.upper) - lowest) / Double(filters + 1)
    let centers = (0...filters).map { lowest + spacing * Double($0 + 1) }
    let step = 0.5 * sampleRate / Double(frequencies - 1)
    let first = 1.5 + limits.lower / step
    let last = limits.upper / step
    self.filters = filters
    guard last < Double(frequencies), first <= last + 1 else {
      (used, falling, weights) = (0..<0, [], [])
      return
    }
    used = Int(first)..<max(Int(first), Int(last) + 1)
    var falling: [Int] = []
    var weights: [Double] = []
    var filter = 0
    for index in used {
      let place = Self.mel(Double(index) * step)
      while filter < filters, centers[filter] < place { filter += 1 }
      falling.append(filter - 1)
      let start = filter == 0 ? lowest : centers[filter - 1]
      weights.append((centers[filter] - place) / (centers[filter] - start))
    }
    self.falling = falling
    self.weights = weights
  }

  private static func mel(_ frequency: Double) -> Double { 1127 * log1p(frequency / 700) }

  /// The filters' sums of magnitudes, from squared magnitudes; zeros when the spectrum is too short.
  func apply(_ spectrum: UnsafePointer<Float>, _ sums: UnsafeMutablePointer<Double>) {
    sums.update(repeating: 0, count: filters)
    for (position, index) in used.enumerated() {
      let magnitude = Double(spectrum[index]).squareRoot()
      let weighted = magnitude * weights[position]
      let filter = falling[position]
      if filter >= 0 { sums[filter] += weighted }
      if filter + 1 < filters { sums[filter + 1] += magnitude - weighted }
    }
  }

  /// Whether the spectrum reaches as far as the filters.
  var isInsideSpectrum: Bool { !used.isEmpty }
}
