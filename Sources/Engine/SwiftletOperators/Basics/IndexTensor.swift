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
  /// Returns an index that only the run knows lies outside of its axis.
  static func index(_ index: Int, position: Int, size: Int, at location: Location) -> RuntimeError {
    RuntimeError(
      .invalidInput, "index \(index), at position \(position) of the indices, is outside of 0 ..< \(size)",
      location: location)
  }
}

// Here and not in the engine: the compiler does not inline what another module declares for the package, and tiles ask
// for addresses all the time.
extension RunContext {
  /// Returns the tensor's memory, aligned for its elements. Nothing behind its end may be read, unless
  /// `PrepareContext.requireSlack(behind:)` asked for that. Scratch memory is 64-byte aligned.
  @inline(__always)
  func pointer(_ slot: TensorSlot) -> UnsafeMutableRawPointer { pointers[slot.index] }

  /// Returns the tensor's memory as elements of `type`, which must be the tensor's own type.
  @inline(__always)
  func pointer<T>(_ slot: TensorSlot, as type: T.Type) -> UnsafeMutablePointer<T> {
    pointers[slot.index].assumingMemoryBound(to: type)
  }
}

/// Which multiples of a factor leave a given remainder when they are divided by a modulus: one in so many, from a
/// first one on.
///
/// Windows meet strides and spacings so. Finding the places by this instead of trying them one by one takes no time
/// that grows with them.
struct Congruence: Sendable, Hashable {
  /// From one solution to the next.
  let period: Int
  private let divisor: Int
  /// What the factor, without the common divisor, is to be multiplied with to leave 1.
  private let inverse: Int

  /// - Parameters: both positive.
  init(factor: Int, modulus: Int) {
    var (larger, smaller) = (factor, modulus)
    while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
    divisor = larger
    period = modulus / larger
    inverse = Self.inverse(of: factor / larger % period, modulo: period)
  }

  /// Returns the least number from 0 on whose product with the factor leaves the same remainder as `value`; `nil` if
  /// none does.
  func first(for value: Int) -> Int? {
    guard period > 1 || divisor > 1 else { return 0 }
    guard value % divisor == 0 else { return nil }
    let rest = value / divisor % period
    return period.dividingFullWidth((rest < 0 ? rest + period : rest).multipliedFullWidth(by: inverse)).remainder
  }

  /// By Euclid's algorithm; `number` and `modulus` share no divisor.
  private static func inverse(of number: Int, modulo modulus: Int) -> Int {
    var (larger, smaller, last, factor) = (modulus, number, 0, 1)
    while smaller > 1 {
      // Factors stay below the modulus.
      (last, factor) = (factor, last - larger / smaller * factor)
      (larger, smaller) = (smaller, larger % smaller)
    }
    return (factor % modulus + modulus) % modulus
  }
}
