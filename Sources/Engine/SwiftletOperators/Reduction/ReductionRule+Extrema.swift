import SwiftletEngine
import SwiftletKernels

/// The largest of integers.
///
/// Apart from the smallest, because a choice inside the loop keeps the compiler from using vectors.
struct IntegerMaximum<Element: FixedWidthInteger & BitwiseCopyable & Sendable>: ReductionRule {
  let empty = Element.min

  func begin(_ element: Element) -> Element { element }
  func combine(_ best: Element, _ element: Element) -> Element { max(best, element) }
  func finish(_ best: Element) -> Element { best }
}

/// The smallest of integers.
struct IntegerMinimum<Element: FixedWidthInteger & BitwiseCopyable & Sendable>: ReductionRule {
  let empty = Element.max

  func begin(_ element: Element) -> Element { element }
  func combine(_ best: Element, _ element: Element) -> Element { min(best, element) }
  func finish(_ best: Element) -> Element { best }
}

/// The largest of floats. A NaN never wins against a number.
struct FloatMaximum: ReductionRule {
  static let usesLanes = true
  let kernel: FloatReduction? = FloatReduction(operation: .maximum)
  let empty = -Float.greatestFiniteMagnitude

  func begin(_ element: Float) -> Float { element > -.infinity ? element : -.infinity }
  func combine(_ best: Float, _ element: Float) -> Float { element > best ? element : best }
  func merge(_ first: Float, _ second: Float) -> Float { second > first ? second : first }
  func finish(_ best: Float) -> Float { best }
}

/// The smallest of floats. A NaN never wins against a number.
struct FloatMinimum: ReductionRule {
  static let usesLanes = true
  let kernel: FloatReduction? = FloatReduction(operation: .minimum)
  let empty = Float.greatestFiniteMagnitude

  func begin(_ element: Float) -> Float { element < .infinity ? element : .infinity }
  func combine(_ best: Float, _ element: Float) -> Float { element < best ? element : best }
  func merge(_ first: Float, _ second: Float) -> Float { second < first ? second : first }
  func finish(_ best: Float) -> Float { best }
}

/// Whether any boolean is true. Every byte but 0 is.
struct Disjunction: ReductionRule {
  let empty: UInt8 = 0

  func begin(_ element: UInt8) -> UInt8 { element }
  func combine(_ result: UInt8, _ element: UInt8) -> UInt8 { result | element }
  func finish(_ result: UInt8) -> UInt8 { result == 0 ? 0 : 1 }
}

/// Whether every boolean is true.
///
/// Apart from the disjunction, because a choice inside the loop keeps the compiler from using vectors.
struct Conjunction: ReductionRule {
  let empty: UInt8 = 1

  func begin(_ element: UInt8) -> UInt8 { element == 0 ? 0 : 1 }
  func combine(_ result: UInt8, _ element: UInt8) -> UInt8 { min(result, element) }
  func finish(_ result: UInt8) -> UInt8 { result == 0 ? 0 : 1 }
}
