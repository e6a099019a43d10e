import SwiftletEngine
import SwiftletSchema

/// How a window's elements become one.
enum WindowFunction: Sendable {
  case add, multiply, minimum, maximum, all, any

  /// Creates the function of a subgraph that has one operator.
  init?(_ kind: OperatorKind?) {
    guard case .builtin(let builtin) = kind else { return nil }
    switch builtin {
    case .add, .stablehloAdd: self = .add
    case .mul, .stablehloMultiply: self = .multiply
    case .minimum, .stablehloMinimum: self = .minimum
    case .maximum, .stablehloMaximum: self = .maximum
    case .logicalAnd, .stablehloAnd: self = .all
    case .logicalOr, .stablehloOr: self = .any
    default: return nil
    }
  }
}

/// A window that slides over a padded tensor whose elements may be spaced, along one axis.
struct SlidingAxis: Sendable, Hashable {
  var spacing: SpacedAxis
  var window: Int
  var stride: Int
  var dilation: Int
  /// The number of windows.
  var count: Int
  /// Which taps meet elements and not the gaps between them.
  private let congruence: Congruence

  /// - Throws: An error if sizes make no sense or do not fit an integer.
  init(_ spacing: SpacedAxis, window: Int, stride: Int, dilation: Int, _ node: NodeView) throws {
    guard window > 0, stride > 0, dilation > 0, let size = spacing.spacedSize else {
      throw node.invalid(
        "window \(window), stride \(stride) and dilation \(dilation) must be positive, and the padded input must fit an integer"
      )
    }
    let (reach, isTooWide) = (window - 1).multipliedReportingOverflow(by: dilation)
    self.spacing = spacing
    self.window = window
    self.stride = stride
    self.dilation = dilation
    congruence = Congruence(factor: dilation, modulus: spacing.interior + 1)
    count = isTooWide || reach >= size ? 0 : (size - 1 - reach) / stride + 1
  }

  /// Where the window at `position` begins, in the spaced input without what stands before it.
  @inline(__always)
  func start(_ position: Int) -> Int { position &* stride &- spacing.before }

  /// The first tap from `start` on that meets an element, and behind the last one; equal when none does.
  @inline(__always)
  func taps(from start: Int) -> (lower: Int, upper: Int) {
    let last = (spacing.size &- 1) &* (spacing.interior &+ 1)
    guard last >= 0, start <= last else { return (0, 0) }
    let lower = start >= 0 ? 0 : (dilation &- 1 &- start) / dilation
    let upper = min(window, (last &- start) / dilation &+ 1)
    guard spacing.interior > 0 else { return (min(lower, upper), upper) }
    guard let first = congruence.first(for: 0 &- start) else { return (0, 0) }
    let met = first >= lower ? first : first &+ (lower &- first &+ step &- 1) / step &* step
    return (min(met, upper), upper)
  }

  /// From a tap that meets an element to the next.
  var step: Int { congruence.period }

  /// The most elements that a window meets.
  var maximumElements: Int { min((window - 1) / step + 1, spacing.size) }

  /// Whether windows meet anything but elements.
  var meetsPadding: Bool { spacing.interior > 0 || spacing.before > 0 || spacing.after > 0 }
}

/// Windows of a tensor reduced to one element each.
///
/// Elements that padding and spacing put in hold the initial value, and take part.
struct WindowReduction: Sendable {
  /// The most axes there may be.
  static let maximumRank = 8

  private let axes: [SlidingAxis]
  private let strides: [Int]
  /// The taps along the axes behind each.
  private let innerTaps: [Int]

  /// - Throws: An error if there are too many axes, or windows of too many elements.
  init(_ axes: [SlidingAxis], of shape: Shape, _ node: NodeView) throws {
    guard axes.count <= Self.maximumRank, Shape(axes.map(\.window)).elementCount < Int.max else {
      throw node.invalid("takes windows of at most \(Self.maximumRank) axes whose size fits an integer")
    }
    self.axes = axes
    strides = shape.strides
    innerTaps = Shape(axes.map(\.window)).strides
  }

  /// Output 0 from input 0, with the initial value of input 1.
  func prepare(_ context: PrepareContext, _ function: WindowFunction) throws -> PreparedOperator {
    let input = try context.node.input(0)
    switch input.elementType {
    case .float32:
      return try prepareNumbers(context, function, Float.self) {
        $0 + $1
      } multiply: {
        $0 * $1
      }
    case .float64:
      return try prepareNumbers(context, function, Double.self) {
        $0 + $1
      } multiply: {
        $0 * $1
      }
    case .int8, .bool:
      return try prepareNumbers(context, function, Int8.self) {
        $0 &+ $1
      } multiply: {
        $0 &* $1
      }
    case .uint8:
      return try prepareNumbers(context, function, UInt8.self) {
        $0 &+ $1
      } multiply: {
        $0 &* $1
      }
    case .int16:
      return try prepareNumbers(context, function, Int16.self) {
        $0 &+ $1
      } multiply: {
        $0 &* $1
      }
    case .int32:
      return try prepareNumbers(context, function, Int32.self) {
        $0 &+ $1
      } multiply: {
        $0 &* $1
      }
    case .int64:
      return try prepareNumbers(context, function, Int64.self) {
        $0 &+ $1
      } multiply: {
        $0 &* $1
      }
    default: throw context.node.invalid("does not take \(input)")
    }
  }

  static let types: [ElementType] = [.float32, .float64, .int8, .uint8, .int16, .int32, .int64, .bool]

  private func prepareNumbers<Element: BitwiseCopyable & Comparable & ExpressibleByIntegerLiteral & Sendable>(
    _ context: PrepareContext, _ function: WindowFunction, _ type: Element.Type,
    add: @escaping @Sendable (Element, Element) -> Element, multiply: @escaping @Sendable (Element, Element) -> Element
  ) throws -> PreparedOperator {
    switch function {
    case .add: try stage(context, type, add)
    case .multiply: try stage(context, type, multiply)
    case .minimum: try stage(context, type) { $0 <= $1 ? $0 : $1 }
    case .maximum: try stage(context, type) { $0 >= $1 ? $0 : $1 }
    case .all: try stage(context, type) { $0 != 0 && $1 != 0 ? 1 : 0 }
    case .any: try stage(context, type) { $0 != 0 || $1 != 0 ? 1 : 0 }
    }
  }

  private func stage<Element: BitwiseCopyable & Equatable & Sendable>(
    _ context: PrepareContext, _ type: Element.Type, _ function: @escaping @Sendable (Element, Element) -> Element
  ) throws -> PreparedOperator {
    let (source, start, destination) = (try context.inputSlot(0), try context.inputSlot(1), try context.outputSlot(0))
    try context.node.requireOutputs([Shape(axes.map(\.count))])
    return PreparedOperator(items: try context.node.output(0).shape.elementCount, cost: cost) { run, items in
      let input = UnsafePointer(run.pointer(source, as: type))
      let initial = run.pointer(start, as: type).pointee
      let output = run.pointer(destination, as: type)
      for item in items {
        var corner = SIMD8<Int>.zero
        var rest = item
        for axis in stride(from: axes.count &- 1, through: 0, by: -1) {
          let (quotient, position) = rest.quotientAndRemainder(dividingBy: axes[axis].count)
          corner[axis] = axes[axis].start(position)
          rest = quotient
        }
        var result = initial
        reduce(input, from: 0, corner, padding: initial, into: &result, function)
        output[item] = result
      }
    }
  }

  /// What one window costs, in nanoseconds, roughly: padding is passed over in runs.
  private var cost: Double {
    var cost = 6.0
    for (axis, inner) in zip(axes, innerTaps).reversed() {
      let elements = Double(axis.maximumElements)
      let runs =
        axis.meetsPadding ? min(Double(axis.window) * Double(inner), (elements + 1) * Double(Self.maximumRun)) : 0
      cost = 15 + elements * cost + runs * 2
    }
    return cost
  }

  /// Combines the taps along the axes from `axis` on, in order.
  ///
  /// - Parameter corner: The window's first tap along every axis, as a place in the spaced input.
  private func reduce<Element: Equatable>(
    _ input: UnsafePointer<Element>, from axis: Int, _ corner: SIMD8<Int>, padding: Element, into result: inout Element,
    _ function: (Element, Element) -> Element
  ) {
    let sliding = axes[axis], inner = innerTaps[axis]
    let start = corner[axis], step = sliding.step, stride = strides[axis]
    let (first, end) = sliding.taps(from: start)
    // Taps that are done.
    var done = 0
    for tap in Swift.stride(from: first, to: end, by: step) {
      Self.pad(&result, with: padding, count: (tap &- done) &* inner, function)
      done = tap &+ 1
      let element = input + (start &+ tap &* sliding.dilation) / (sliding.spacing.interior &+ 1) &* stride
      if axis &+ 1 < axes.count {
        reduce(element, from: axis &+ 1, corner, padding: padding, into: &result, function)
      } else {
        result = function(result, element.pointee)
      }
    }
    Self.pad(&result, with: padding, count: (sliding.window &- done) &* inner, function)
  }

  /// Longer runs of padding become one element first, which joins the result then: for sums of real numbers that rounds
  /// otherwise.
  private static let maximumRun = 1 << 12

  private static func pad<Element: Equatable>(
    _ result: inout Element, with padding: Element, count: Int, _ function: (Element, Element) -> Element
  ) {
    guard count > maximumRun else {
      for _ in 0..<max(count, 0) {
        let next = function(result, padding)
        // Zeros in sums, and everything in extremes, change nothing more.
        let isLast = next == result
        result = next
        if isLast { return }
      }
      return
    }
    // By doubling, so that the time does not grow with the run.
    var (power, rest, whole) = (padding, count, Element?.none)
    while rest > 0 {
      if rest & 1 == 1 { whole = whole.map { function($0, power) } ?? power }
      power = function(power, power)
      rest >>= 1
    }
    if let whole { result = function(result, whole) }
  }
}
