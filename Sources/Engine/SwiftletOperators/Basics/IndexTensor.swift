import SwiftletEngine
import SwiftletSchema

/// A tensor of indices that is computed in the run. Indices are read one at a time, for any index type.
struct IndexTensor: Sendable {
  private let slot: TensorSlot
  private let type: ElementType

  /// The supported index types.
  static let types: TypeSet = [.int16, .int32, .int64]

  /// Creates an index tensor.
  ///
  /// - Throws: An error if input `input` is missing or has a type that isn't in `types`.
  init(input: Int, _ context: PrepareContext) throws {
    let spec = try context.node.input(input)
    guard Self.types.contains(spec.elementType) else {
      throw context.node.invalid("input \(input) \(spec) must hold int16, int32 or int64 indices")
    }
    slot = try context.inputSlot(input)
    type = spec.elementType
  }

  /// Returns the indices of this run.
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
  /// Returns the error for an index, known only at run time, that is outside its axis.
  static func index(_ index: Int, position: Int, size: Int, at location: Location) -> RuntimeError {
    RuntimeError(
      .invalidInput, "index \(index), at position \(position) of the indices, is outside of 0 ..< \(size)",
      location: location)
  }
}

// This extension is here instead of in the engine, because the compiler doesn't inline package declarations across
// modules, and tiles request addresses all the time.
extension RunContext {
  /// Returns the tensor's memory, aligned for its elements. Nothing may be read past its end, unless
  /// `PrepareContext.requireSlack(behind:)` was called. Scratch memory is 64-byte aligned.
  @inline(__always)
  func pointer(_ slot: TensorSlot) -> UnsafeMutableRawPointer { pointers[slot.index] }

  /// Returns the tensor's memory as elements of `type`, which must be the tensor's type.
  @inline(__always)
  func pointer<T>(_ slot: TensorSlot, as type: T.Type) -> UnsafeMutablePointer<T> {
    pointers[slot.index].assumingMemoryBound(to: type)
  }
}

/// The multiples of a factor that have a given remainder modulo a number: every n-th multiple, starting from the first
/// one.
///
/// Windows align with strides and dilations in this way. Computing the positions takes constant time, in contrast to a
/// search.
struct Congruence: Sendable, Hashable {
  /// The distance between two solutions.
  let period: Int
  private let divisor: Int
  /// The modular inverse of the factor, after division by the common divisor.
  private let inverse: Int

  /// Creates the congruence.
  ///
  /// - Parameters: Both must be positive.
  init(factor: Int, modulus: Int) {
    var (larger, smaller) = (factor, modulus)
    while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
    divisor = larger
    period = modulus / larger
    inverse = Self.inverse(of: factor / larger % period, modulo: period)
  }

  /// Returns the smallest nonnegative number whose product with the factor has the same remainder as `value`; `nil` if
  /// there is none.
  func first(for value: Int) -> Int? {
    guard period > 1 || divisor > 1 else { return 0 }
    guard value % divisor == 0 else { return nil }
    let rest = value / divisor % period
    return period.dividingFullWidth((rest < 0 ? rest + period : rest).multipliedFullWidth(by: inverse)).remainder
  }

  /// Returns the modular inverse by Euclid's algorithm. `number` and `modulus` must have no common divisor.
  private static func inverse(of number: Int, modulo modulus: Int) -> Int {
    var (larger, smaller, last, factor) = (modulus, number, 0, 1)
    while smaller > 1 {
      // The factors stay below the modulus.
      (last, factor) = (factor, last - larger / smaller * factor)
      (larger, smaller) = (smaller, larger % smaller)
    }
    return (factor % modulus + modulus) % modulus
  }
}
