import SwiftletSchema

/// UNIQUE: every value of a vector once, in the order of first appearance, and for every element the position of its value among them.
///
/// - Shapes: a vector; outputs a vector whose length follows from the values, and one as long as the input.
/// - Throws: `limitExceeded` for more than four million elements.
/// - Types: data float32, int8, uint8, int16, int32 or int64; positions int32 or int64.
/// - Source: operator 103 of the model format.
struct UniqueOperator: Operator {
  static let identity = OperatorIdentity(
    .unique, versions: 1...1,
    types: [ElementType.float32, .int8, .uint8, .int16, .int32, .int64].map {
      TypeCombination(inputs: [TypeSet($0)], outputs: [TypeSet($0), [.int32, .int64]])
    })

  /// The table of values takes many times the memory of the input.
  private static let longest = 1 << 22

  init(parsing node: NodeReader) throws { try node.require(inputs: 1...1, outputs: 2...2) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let input = try node.input(0)
    guard input.shape.rank == 1 else { throw node.invalid("input \(input) must be a vector") }
    guard input.shape[0] <= Self.longest else {
      throw RuntimeError(
        .limitExceeded, "input \(input) is longer than the limit of \(Self.longest) elements",
        location: node.node.location)
    }
    return [[try values(node).firsts.count], input.shape]
  }

  /// For every value its first element, and for every element its value.
  private func values(_ node: NodeView) throws -> (firsts: [Int], positions: [Int]) {
    let bytes = try node.data(0)
    switch try node.input(0).elementType {
    // Zero and minus zero are equal; otherwise floats are what their bits are.
    case .float32: return distinct(bytes.bindMemory(to: Float.self)) { $0 == 0 ? 0 : $0.bitPattern }
    case .int8, .uint8: return distinct(bytes.bindMemory(to: UInt8.self)) { $0 }
    case .int16: return distinct(bytes.bindMemory(to: UInt16.self)) { $0 }
    case .int32: return distinct(bytes.bindMemory(to: UInt32.self)) { $0 }
    default: return distinct(bytes.bindMemory(to: UInt64.self)) { $0 }
    }
  }

  private func distinct<Element, Key: Hashable>(
    _ elements: UnsafeBufferPointer<Element>, key: (Element) -> Key
  ) -> (firsts: [Int], positions: [Int]) {
    var known: [Key: Int] = [:]
    var firsts: [Int] = []
    let positions = elements.indices.map { index in
      let key = key(elements[index])
      if let position = known[key] { return position }
      known[key] = firsts.count
      firsts.append(index)
      return firsts.count - 1
    }
    return (firsts, positions)
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    let (firsts, positions) = try values(node)
    let elementBytes = try node.elementBytes(ofInput: 0)
    let source = try context.inputSlot(0)
    let (unique, places) = (try context.outputSlot(0), try context.outputSlot(1))
    let isWide = try node.output(1).elementType == .int64
    return PreparedOperator { run, _ in
      for (position, first) in firsts.enumerated() {
        moveBytes(
          elementBytes, from: run.pointer(source).advanced(by: first &* elementBytes),
          to: run.pointer(unique).advanced(by: position &* elementBytes))
      }
      for (index, position) in positions.enumerated() {
        if isWide {
          run.pointer(places, as: Int64.self)[index] = Int64(position)
        } else {
          run.pointer(places, as: Int32.self)[index] = Int32(truncatingIfNeeded: position)
        }
      }
    }
  }
}
