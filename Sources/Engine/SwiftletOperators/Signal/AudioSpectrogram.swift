import SwiftletBase
import SwiftletEngine
import SwiftletSchema

/// AudioSpectrogram: how strong frequencies are in windows of sound.
///
/// - Shapes: samples `[time, channels]`; output `[channels, windows, frequencies]`, with as many frequencies as half
///   the next power of two of the window has, and one.
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
  /// Samples of a transform.
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
    // Tables are made where there are as many samples.
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
