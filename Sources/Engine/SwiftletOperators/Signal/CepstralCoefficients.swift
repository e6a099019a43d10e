import SwiftletBase
import SwiftletEngine
import SwiftletSchema

/// Mfcc: what a spectrum sounds like in few numbers: the cosine transform of the logarithms of mel filters.
///
/// - Shapes: squared magnitudes `[channels, windows, frequencies]`, as AudioSpectrogram gives them; the sample rate,
///   one number; output `[channels, windows, coefficients]`.
/// - Types: float32; sample rate int32.
/// - Source: the custom operator of this name, in double precision. Where the filters reach beyond the spectrum, it
///   gives zeros.
struct CepstralCoefficientsOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .custom("Mfcc"), versions: 1...1, floatError: 1e-6, types: .one(.float32, .int32, to: .float32))
  }

  private let limits: (lower: Double, upper: Double)
  private let filters: Int
  private let coefficients: Int

  /// What silence counts as, so that it has a logarithm.
  private static let floor = 1e-12
  private static let longestTable = 1 << 14

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

  /// - Throws: when the filters make no sense.
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
    // Tables are made where there is a spectrum as long.
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
    // A few options must not make a large table.
    let count = coefficients * filters
    let cosines = count <= Self.longestTable ? (0..<count).map(factor) : nil
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
