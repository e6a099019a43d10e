import SwiftletBase
import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// The discrete Fourier transform of a power-of-two number of real elements, without the redundant frequencies.
///
/// - Source: two real transforms of half the length are one complex transform; see "Numerical Recipes", section 12.3.
struct RealFourierTransform: Sendable {
  let length: Int
  private let half: FourierTransform?
  /// The roots of unity in the first quadrant.
  private let roots: [SIMD2<Double>]

  /// The number of frequencies in a transform.
  var count: Int { length / 2 + 1 }

  /// Returns the approximate time of a transform in nanoseconds.
  static func cost(length: Int) -> Double { FourierTransform.cost(length: max(1, length / 2)) + Double(length) * 3 }

  /// Creates the transform, or returns `nil` if the length isn't supported. Creates tables of about that length.
  init?(length: Int) {
    guard FourierTransform.takes(length: length) else { return nil }
    self.length = length
    half = FourierTransform(length: length / 2)
    roots = (0...(length / 4)).map { index in
      let angle = -2 * Double.pi * Double(index) / Double(length)
      return SIMD2(cos(angle), sin(angle))
    }
  }

  /// Transforms samples, padded with zeros.
  ///
  /// - Parameters:
  ///   - samples: The samples, of which at most ``length`` are used.
  ///   - values: Memory for ``count`` numbers, aligned to 16 bytes.
  func run(_ samples: UnsafeBufferPointer<Float>, into values: UnsafeMutablePointer<ComplexDouble>) {
    let given = min(samples.count, length)
    guard let half else {
      values[0] = ComplexDouble(real: given > 0 ? Double(samples[0]) : 0, imaginary: 0)
      return
    }
    for index in 0..<given / 2 {
      values[index] = ComplexDouble(real: Double(samples[2 &* index]), imaginary: Double(samples[2 &* index &+ 1]))
    }
    for index in given / 2..<half.length { values[index] = ComplexDouble(real: 0, imaginary: 0) }
    if !given.isMultiple(of: 2) { values[given / 2].real = Double(samples[given - 1]) }
    half.run(values)
    roots.withUnsafeBufferPointer { roots in
      guard let roots = roots.baseAddress else { return }
      let numbers = UnsafeMutableRawPointer(values).assumingMemoryBound(to: SIMD2<Double>.self)
      KernelTable.current.signal.separate(numbers, half: half.length, roots: roots)
    }
  }
}

/// RFFT2D: the Fourier transform of real numbers along the last two dimensions.
///
/// - Shapes: input of rank 2 or more, truncated or padded with zeros to the two lengths in input 1, which are powers of
///   two; output `[…, height, width / 2 + 1]`, without the redundant frequencies.
/// - Types: input float32, lengths int32, output complex64.
/// - Source: operator 131 of the model format, computed in double precision.
struct RealFourierTransform2DOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .rfft2D, versions: 1...1, floatError: 1e-6, types: .one(.float32, .int32, to: TypeSet(.complex64)))
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 2...2) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let input = try node.input(0)
    guard input.shape.rank >= 2 else { throw node.invalid("takes an input of rank 2 or more, got \(input)") }
    let (rows, columns) = try lengths(node)
    return [Shape(input.shape.dimensions.dropLast(2) + [rows, columns / 2 + 1])]
  }

  /// Returns the lengths of the transforms along the columns (the number of rows) and along the rows.
  private func lengths(_ node: NodeView) throws -> (height: Int, width: Int) {
    let lengths = try node.integers(1)
    guard lengths.count == 2, lengths.allSatisfy(FourierTransform.takes(length:)) else {
      throw node.invalid(
        "transforms of lengths \(lengths); there must be two powers of two, at most \(FourierTransform.maximumLength)")
    }
    return (lengths[0], lengths[1])
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let input = try context.node.input(0).shape
    try context.node.requireOutputs(try inferShapes(context.node))
    let lengths = try lengths(context.node)
    // Create tables only if there is as much output.
    guard try context.node.output(0).shape.elementCount > 0, let height = FourierTransform(length: lengths.height),
      let width = RealFourierTransform(length: lengths.width)
    else { return .empty }
    try context.requireTable(elements: [2, lengths.height + lengths.width], of: Double.self)
    let slices = input.elementCount(0..<(input.rank - 2))
    let plane = TransformedPlane(
      inputRows: input[input.rank - 2], inputColumns: input[input.rank - 1], height: height, width: width,
      source: try context.inputSlot(0), destination: try context.outputSlot(0))
    if plane.cost > Self.maximumTile, slices <= Self.maximumSharedSlices {
      let memory = try context.scratch(elements: [plane.count], of: ComplexDouble.self)
      return PreparedOperator(stages: (0..<slices).flatMap { plane.stages(slice: $0, memory) })
    }
    context.requireWorkerScratch(bytes: try context.byteCount(elements: [plane.count], of: ComplexDouble.self))
    return PreparedOperator(items: slices, cost: plane.cost) { run, slices in
      let memory = run.workerScratch.assumingMemoryBound(to: ComplexDouble.self)
      for slice in slices {
        plane.transformRows(0..<height.length, of: slice, memory, run)
        plane.transformColumns(0..<plane.kept, memory)
        plane.write(0..<height.length, of: slice, memory, run)
      }
    }
  }

  /// The maximum time, in nanoseconds, of a slice in one tile. Slices that take longer are shared by all threads, one
  /// after the other.
  private static let maximumTile = 10_000_000.0
  private static let maximumSharedSlices = 64
}

/// The transform of a slice: first its rows, then the kept columns.
private struct TransformedPlane: Sendable {
  let inputRows: Int
  let inputColumns: Int
  let height: FourierTransform
  let width: RealFourierTransform
  let source: TensorSlot
  let destination: TensorSlot

  /// The number of elements in a slice during its transform.
  var count: Int { height.length * kept }
  /// The number of output columns.
  var kept: Int { width.count }

  private var rowCost: Double { RealFourierTransform.cost(length: width.length) }
  /// The elements of a column are far apart in memory.
  private var columnCost: Double { FourierTransform.cost(length: height.length) * 2 }
  /// The approximate time per slice in nanoseconds.
  var cost: Double { Double(height.length) * (rowCost + Double(kept) * 3) + Double(kept) * columnCost }

  /// Returns the stages of a slice that all threads transform in `memory`.
  func stages(slice: Int, _ memory: TensorSlot) -> [PreparedOperator.Stage] {
    [
      .init(items: height.length, cost: rowCost) { run, rows in
        transformRows(rows, of: slice, run.pointer(memory, as: ComplexDouble.self), run)
      },
      .init(items: kept, cost: columnCost) { run, columns in
        transformColumns(columns, run.pointer(memory, as: ComplexDouble.self))
      },
      .init(items: height.length, cost: Double(kept) * 3) { run, rows in
        write(rows, of: slice, run.pointer(memory, as: ComplexDouble.self), run)
      },
    ]
  }

  func transformRows(_ rows: Range<Int>, of slice: Int, _ plane: UnsafeMutablePointer<ComplexDouble>, _ run: RunContext)
  {
    for row in rows {
      let line = plane + row &* kept
      guard row < inputRows else {
        line.update(repeating: ComplexDouble(real: 0, imaginary: 0), count: kept)
        continue
      }
      let from = run.pointer(source, as: Float.self) + (slice &* inputRows &+ row) &* inputColumns
      width.run(UnsafeBufferPointer(start: from, count: inputColumns), into: line)
    }
  }

  func transformColumns(_ columns: Range<Int>, _ plane: UnsafeMutablePointer<ComplexDouble>) {
    guard height.length > 1 else { return }
    for column in columns { height.run(plane + column, stride: kept) }
  }

  func write(_ rows: Range<Int>, of slice: Int, _ plane: UnsafePointer<ComplexDouble>, _ run: RunContext) {
    for row in rows {
      let line = plane + row &* kept
      let to = run.pointer(destination, as: ComplexFloat.self) + (slice &* height.length &+ row) &* kept
      for column in 0..<kept {
        to[column] = ComplexFloat(real: Float(line[column].real), imaginary: Float(line[column].imaginary))
      }
    }
  }
}
