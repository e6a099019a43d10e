import SwiftletEngine
import SwiftletSchema

/// KmeansEmbeddingLookup: the mean of the vectors of some numbers, each put together from blocks of a codebook.
///
/// Numbers count up to the first 0; where there are none, the mean is zero.
///
/// - Shapes: numbers `[1, n]`; encodings `[numbers, blocks]`; codebook `[codes, size]`; output `[1, blocks · size]`.
/// - Types: numbers int32; encodings uint8; codebook and output float32.
/// - Throws: in a run, when a number or a code is outside of its table.
/// - Source: the MediaPipe operator of this name.
struct KmeansEmbeddingLookupOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .custom("KmeansEmbeddingLookup"), versions: 1...1, floatError: 1e-6,
      types: .one(.int32, .uint8, .float32, to: .float32))
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 3...3) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let (numbers, encodings, codebook) = (try node.input(0), try node.input(1), try node.input(2))
    guard numbers.shape.rank == 2, numbers.shape[0] == 1, encodings.shape.rank == 2, codebook.shape.rank == 2 else {
      throw node.invalid(
        "takes numbers [1, n], encodings and a codebook of rank 2, got \(numbers), \(encodings) and \(codebook)")
    }
    let (width, isTooWide) = encodings.shape[1].multipliedReportingOverflow(by: codebook.shape[1])
    guard !isTooWide else {
      throw node.invalid("gives more numbers than there can be from \(encodings) and \(codebook)")
    }
    return [[1, width]]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    guard try node.output(0).shape.elementCount > 0 else { return .empty }
    let count = try node.input(0).shape[1]
    let (rows, blocks) = (try node.input(1).shape[0], try node.input(1).shape[1])
    let (codes, size) = (try node.input(2).shape[0], try node.input(2).shape[1])
    let (numbers, encodings, codebook) = (
      try context.inputSlot(0), try context.inputSlot(1), try context.inputSlot(2)
    )
    let destination = try context.outputSlot(0)
    let location = node.node.location
    return PreparedOperator(items: blocks, cost: Double(count) * (Double(size) + 5) + 5) { run, items in
      let numbers = run.pointer(numbers, as: Int32.self)
      let encodings = run.pointer(encodings, as: UInt8.self)
      let codebook = run.pointer(codebook, as: Float.self)
      for block in items {
        let to = run.pointer(destination, as: Float.self) + block &* size
        for index in 0..<size { to[index] = 0 }
        var found = 0
        while found < count, numbers[found] != 0 {
          let number = Int(numbers[found])
          guard number > 0, number < rows else {
            throw RuntimeError.index(number, position: found, size: rows, at: location)
          }
          let code = Int(encodings[number &* blocks &+ block])
          guard code < codes else { throw RuntimeError.index(code, position: found, size: codes, at: location) }
          let from = codebook + code &* size
          for index in 0..<size { to[index] += from[index] }
          found &+= 1
        }
        let divisor = Float(max(found, 1))
        for index in 0..<size { to[index] /= divisor }
      }
    }
  }
}
