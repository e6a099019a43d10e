import SwiftletEngine
import SwiftletSchema

/// A tensor of indices that a run computes: read one at a time, whatever their width.
struct IndexTensor: Sendable {
  private let slot: TensorSlot
  private let type: ElementType

  /// The types that indices may have.
  static let types: TypeSet = [.int16, .int32, .int64]

  /// - Throws: when input `input` is missing or has another type than `types`.
  init(input: Int, _ context: PrepareContext) throws {
    let spec = try context.node.input(input)
    guard Self.types.contains(spec.elementType) else {
      throw context.node.invalid("input \(input) \(spec) must hold int16, int32 or int64 indices")
    }
    slot = try context.inputSlot(input)
    type = spec.elementType
  }

  /// The indices of this run.
  @inline(__always)
  func values(_ run: RunContext) -> Values { Values(start: run.pointer(slot), type: type) }

  struct Values {
    let start: UnsafeMutableRawPointer
    let type: ElementType

    @inline(__always)
    subscript(position: Int) -> Int {
      switch type {
      case .int16: Int(start.load(fromByteOffset: position &* 2, as: Int16.self))
      case .int32: Int(start.load(fromByteOffset: position &* 4, as: Int32.self))
      default: Int(start.load(fromByteOffset: position &* 8, as: Int64.self))
      }
    }
  }
}

extension RuntimeError {
  /// An index that only the run knows lies outside of its axis.
  static func index(_ index: Int, position: Int, size: Int, at location: Location) -> RuntimeError {
    RuntimeError(
      .invalidInput, "index \(index), at position \(position) of the indices, is outside of 0 ..< \(size)",
      location: location)
  }
}
