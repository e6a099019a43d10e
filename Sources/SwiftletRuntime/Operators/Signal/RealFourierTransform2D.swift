import SwiftletSchema

/// RFFT2D: the Fourier transform of real numbers along the last two dimensions.
///
/// - Shapes: input of rank 2 or more, cut or filled up with zeros to the two lengths of input 1, powers of two; output
///   `[…, height, width / 2 + 1]`, the frequencies that are not another's mirror image.
/// - Types: input float32, lengths int32, output complex64.
/// - Source: operator 131 of the model format; computed in double precision.
struct RealFourierTransform2DOperator: Operator {
  static let identity = OperatorIdentity(
    .rfft2D, versions: 1...1, floatError: 1e-6, types: .one(.float32, .int32, to: TypeSet(.complex64)))

  init(parsing node: NodeReader) throws { try node.require(inputs: 2...2) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let input = try node.input(0)
    guard input.shape.rank >= 2 else { throw node.invalid("takes an input of rank 2 or more, got \(input)") }
    let (rows, columns) = try lengths(node)
    return [Shape(input.shape.dimensions.dropLast(2) + [rows, columns / 2 + 1])]
  }

  /// How long the transforms are along the columns, as long as there are rows, and along the rows.
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
    // Tables are made where there is as much output.
    guard try context.node.output(0).shape.elementCount > 0, let height = FourierTransform(length: lengths.height),
      let width = FourierTransform(length: lengths.width)
    else { return .empty }
    try context.requireTable(elements: [lengths.height + lengths.width], of: Double.self)
    let (inputRows, inputColumns) = (input[input.rank - 2], input[input.rank - 1])
    let slices = input.elementCount(0..<(input.rank - 2))
    let (rows, columns) = (min(inputRows, height.length), min(inputColumns, width.length))
    let (source, destination) = (try context.inputSlot(0), try context.outputSlot(0))
    let work = height.length * width.length
    context.requireWorkerScratch(bytes: try context.byteCount(elements: [work], of: ComplexDouble.self))
    // Columns are far from each other in memory.
    let cost =
      Double(work) * 10 + Double(height.length) * FourierTransform.cost(length: width.length) + Double(width.length)
      * FourierTransform.cost(length: height.length)
    return PreparedOperator(items: slices, cost: cost) { run, slices in
      let plane = run.workerScratch.assumingMemoryBound(to: ComplexDouble.self)
      for slice in slices {
        plane.update(repeating: ComplexDouble(real: 0, imaginary: 0), count: work)
        let from = run.pointer(source, as: Float.self) + slice &* inputRows &* inputColumns
        for row in 0..<rows {
          for column in 0..<columns { plane[row &* width.length &+ column].real = Double(from[row &* inputColumns &+ column]) }
          width.run(plane + row &* width.length)
        }
        let kept = width.length / 2 &+ 1
        for column in 0..<kept { height.run(plane + column, stride: width.length) }
        let to = run.pointer(destination, as: ComplexFloat.self) + slice &* height.length &* kept
        for row in 0..<height.length {
          for column in 0..<kept {
            let value = plane[row &* width.length &+ column]
            to[row &* kept &+ column] = ComplexFloat(real: Float(value.real), imaginary: Float(value.imaginary))
          }
        }
      }
    }
  }
}
