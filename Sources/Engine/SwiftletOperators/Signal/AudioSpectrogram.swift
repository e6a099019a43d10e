import SwiftletBase
import SwiftletEngine
import SwiftletSchema

/// AudioSpectrogram: the spectrum of audio windows.
///
/// - Shapes: samples `[time, channels]`; output `[channels, windows, frequencies]`, where the number of frequencies is
///   half the next power of two of the window size, plus one.
/// - Types: float32.
/// - Source: the custom operator of this name: Hann windows, transformed in double precision; squared magnitudes or
///   magnitudes.
struct AudioSpectrogramOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .custom("AudioSpectrogram"), versions: 1...1, floatError: 1e-6, types: .uniform([.float32]))
  }

  private let windowSize: Int
  private let stride: Int
  private let isSquared: Bool
  /// The number of samples in a transform.
  private let length: Int

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 1...1)
    let map = try node.description.customOptionValues()
    windowSize = map["window_size"].intValue
    stride = map["stride"].intValue
    isSquared = map["magnitude_squared"].boolValue
    guard (2...FourierTransform.maximumLength).contains(windowSize), (1...Int(Int32.max)).contains(stride) else {
      throw node.invalid(
        "has windows of \(windowSize) samples every \(stride); sizes are 2 to \(FourierTransform.maximumLength), strides positive"
      )
    }
    length = 1 << (Int.bitWidth - (windowSize - 1).leadingZeroBitCount)
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let input = try node.input(0)
    guard input.shape.rank == 2 else { throw node.invalid("takes samples of rank 2, got \(input)") }
    let windows = input.shape[0] < windowSize ? 0 : 1 + (input.shape[0] - windowSize) / stride
    return [[input.shape[1], windows, length / 2 + 1]]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let channels = try context.node.input(0).shape[1]
    let output = try context.node.output(0).shape
    let (windows, frequencies) = (output[1], output[2])
    // Create tables only if there are that many samples.
    guard output.elementCount > 0, let transform = FourierTransform(length: length) else { return .empty }
    try context.requireTable(elements: [2, length], of: Double.self)
    let (source, destination) = (try context.inputSlot(0), try context.outputSlot(0))
    let (windowSize, stride, isSquared) = (windowSize, stride, isSquared)
    let window = (0..<windowSize).map {
      0.5 - 0.5 * cos(2 * Double.pi * Double($0) / Double(windowSize))
    }
    context.requireWorkerScratch(bytes: transform.length * MemoryLayout<ComplexDouble>.stride)
    return PreparedOperator(
      items: channels * windows, cost: Double(length) * 20 + FourierTransform.cost(length: length)
    ) { run, items in
      let work = run.workerScratch.assumingMemoryBound(to: ComplexDouble.self)
      for item in items {
        let (channel, position) = item.quotientAndRemainder(dividingBy: windows)
        let samples = run.pointer(source, as: Float.self) + (position &* stride &* channels &+ channel)
        for index in 0..<transform.length {
          let value = index < windowSize ? Double(samples[index &* channels]) * window[index] : 0
          work[index] = ComplexDouble(real: value, imaginary: 0)
        }
        transform.run(work)
        let row = run.pointer(destination, as: Float.self) + item &* frequencies
        for index in 0..<frequencies {
          let power = Float(work[index].real * work[index].real + work[index].imaginary * work[index].imaginary)
          row[index] = isSquared ? power : power.squareRoot()
        }
      }
    }
  }
}

/// Mfcc: the cosine transform of the logarithms of mel filters, a compact description of a spectrum.
///
/// - Shapes: squared magnitudes `[channels, windows, frequencies]` from AudioSpectrogram; the sample rate, one number;
///   output `[channels, windows, coefficients]`.
/// - Types: float32; sample rate int32.
/// - Source: the custom operator of this name, in double precision. If the filters exceed the spectrum, the output is
///   zeros.
struct CepstralCoefficientsOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .custom("Mfcc"), versions: 1...1, floatError: 1e-6, types: .one(.float32, .int32, to: .float32))
  }

  private let limits: (lower: Double, upper: Double)
  private let filters: Int
  private let coefficients: Int

  /// The minimum magnitude, so that silence has a logarithm.
  private static let floor = 1e-12
  private static let maximumTable = 1 << 14

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 2...2)
    let map = try node.description.customOptionValues()
    limits = (
      lower: Double(map["lower_frequency_limit"].intValue), upper: Double(map["upper_frequency_limit"].intValue)
    )
    filters = map["filterbank_channel_count"].intValue
    coefficients = map["dct_coefficient_count"].intValue
    guard (1...1024).contains(filters), (1...filters).contains(coefficients) else {
      throw node.invalid(
        "gives \(coefficients) coefficients of \(filters) filters; there must be 1 to 1024 filters, and no more coefficients"
      )
    }
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let input = try node.input(0)
    guard input.shape.rank == 3 else { throw node.invalid("takes spectra of rank 3, got \(input)") }
    _ = try sampleRate(node)
    return [[input.shape[0], input.shape[1], coefficients]]
  }

  /// Returns the sample rate.
  ///
  /// - Throws: An error if the filters are invalid.
  private func sampleRate(_ node: NodeView) throws -> Double {
    let (rate, frequencies) = (try node.integer(1), try node.input(0).shape[2])
    guard frequencies <= FourierTransform.maximumLength,
      MelFilterBank.takes(filters: filters, frequencies: frequencies, sampleRate: Double(rate), limits: limits)
    else {
      throw node.invalid(
        "cannot filter \(frequencies) frequencies at a sample rate of \(rate) from \(limits.lower) to \(limits.upper) Hertz"
      )
    }
    return Double(rate)
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let input = try context.node.input(0).shape
    // Create tables only if there is a spectrum of that length.
    guard try context.node.output(0).shape.elementCount > 0,
      let bank = MelFilterBank(
        filters: filters, frequencies: input[2], sampleRate: try sampleRate(context.node), limits: limits)
    else { return .empty }
    guard bank.isInsideSpectrum else { return try .zeros(context) }
    try context.requireTable(elements: [2, input[2]], of: Double.self)
    let (frequencies, filters, coefficients) = (input[2], filters, coefficients)
    let scale = (2 / Double(filters)).squareRoot()
    let factor = { @Sendable (position: Int) -> Double in
      let (row, column) = position.quotientAndRemainder(dividingBy: filters)
      return scale * cos(Double(row) * (Double.pi / Double(filters)) * (Double(column) + 0.5))
    }
    // A few options must not cause a large table.
    let count = coefficients * filters
    let cosines = count <= Self.maximumTable ? (0..<count).map(factor) : nil
    let (source, destination) = (try context.inputSlot(0), try context.outputSlot(0))
    context.requireWorkerScratch(bytes: filters * MemoryLayout<Double>.stride)
    let cost = Double(frequencies) * 4 + Double(filters) * 20 + Double(count) * (cosines == nil ? 40 : 1)
    return PreparedOperator(items: input[0] * input[1], cost: cost) { run, items in
      let logarithms = run.workerScratch.assumingMemoryBound(to: Double.self)
      for item in items {
        bank.apply(run.pointer(source, as: Float.self) + item &* frequencies, logarithms)
        for filter in 0..<filters { logarithms[filter] = log(max(logarithms[filter], Self.floor)) }
        let row = run.pointer(destination, as: Float.self) + item &* coefficients
        for coefficient in 0..<coefficients {
          var sum = 0.0
          for filter in 0..<filters {
            let place = coefficient &* filters &+ filter
            sum += (cosines?[place] ?? factor(place)) * logarithms[filter]
          }

          row[coefficient] = Float(sum)
        }
      }
    }
  }
}

/// Triangular filters, evenly spaced on the mel scale.
///
/// - Source: the filter bank of the `Mfcc` operator, which follows HTK. Every frequency contributes to at most two
///   filters, on the falling side of one and the rising side of the next. The DC component contributes to none.
struct MelFilterBank: Sendable {
  let filters: Int
  /// The used frequencies; empty if the spectrum is too short for them.
  private let used: Range<Int>
  /// For each used frequency, the filter on whose falling side it is; -1 for the rising side of the first filter.
  private let falling: [Int]
  private let weights: [Double]

  /// Returns whether the parameters are valid.
  static func takes(filters: Int, frequencies: Int, sampleRate: Double, limits: (lower: Double, upper: Double)) -> Bool
  {
    filters >= 1 && filters <= 1 << 20 && sampleRate > 0 && frequencies >= 2 && limits.lower >= 0
      && limits.upper > limits.lower
      && limits.upper.isFinite
  }

  /// Creates the filters, or returns `nil` if the parameters are invalid. Creates tables with as many elements as there
  /// are frequencies and filters.
  ///
  /// - Parameters:
  ///   - frequencies: The number of frequencies in the spectrum, from 0 to half the sample rate.
  ///   - limits: The frequency range of the filters in hertz.
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

  /// Computes the filters' sums of magnitudes from squared magnitudes; zeros if the spectrum is too short.
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

  /// Whether the spectrum covers the range of the filters.
  var isInsideSpectrum: Bool { !used.isEmpty }
}
