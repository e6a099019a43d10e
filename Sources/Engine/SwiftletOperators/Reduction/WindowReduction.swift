import SwiftletEngine
import SwiftletSchema

/// The function that reduces the elements of a window to one.
enum WindowFunction: Sendable {
  case add, multiply, minimum, maximum, all, any

  /// Creates the function of a subgraph with one operator, or returns `nil` if the operator isn't supported.
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

/// A window that slides along one axis of a padded tensor, whose elements may be spread apart.
struct SlidingAxis: Sendable, Hashable {
  var spacing: SpacedAxis
  var window: Int
  var stride: Int
  var dilation: Int
  /// The number of windows.
  var count: Int
  /// The taps that are on elements instead of the gaps between them.
  private let congruence: Congruence

  /// Creates the axis.
  ///
  /// - Throws: An error if sizes are invalid or don't fit an integer.
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

  /// Returns the start of the window at `position`, relative to the spread input without the padding before it.
  @inline(__always)
  func start(_ position: Int) -> Int { position &* stride &- spacing.before }

  /// Returns the first tap from `start` on that is on an element, and the end of these taps; equal if there is none.
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

  /// The distance between two taps on elements.
  var step: Int { congruence.period }

  /// The maximum number of elements in a window.
  var maximumElements: Int { min((window - 1) / step + 1, spacing.size) }

  /// Whether windows contain anything except elements.
  var meetsPadding: Bool { spacing.interior > 0 || spacing.before > 0 || spacing.after > 0 }
}

/// A reduction of each window of a tensor to one element.
///
/// Elements inserted by padding and spreading have the initial value, and are included.
struct WindowReduction: Sendable {
  /// The maximum number of axes.
  static let maximumRank = 8

  private let axes: [SlidingAxis]
  private let strides: [Int]
  /// The number of taps along the axes after each axis.
  private let innerTaps: [Int]

  /// Creates the reduction.
  ///
  /// - Throws: An error if there are too many axes, or if windows have too many elements.
  init(_ axes: [SlidingAxis], of shape: Shape, _ node: NodeView) throws {
    guard axes.count <= Self.maximumRank, Shape(axes.map(\.window)).elementCount < Int.max else {
      throw node.invalid("takes windows of at most \(Self.maximumRank) axes whose size fits an integer")
    }
    self.axes = axes
    strides = shape.strides
    innerTaps = Shape(axes.map(\.window)).strides
  }

  /// Prepares output 0 from input 0, with the initial value in input 1.
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

  /// The approximate time per window in nanoseconds. Padding is processed in runs.
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
  /// - Parameter corner: The window's first tap along every axis, as a position in the spread input.
  private func reduce<Element: Equatable>(
    _ input: UnsafePointer<Element>, from axis: Int, _ corner: SIMD8<Int>, padding: Element, into result: inout Element,
    _ function: (Element, Element) -> Element
  ) {
    let sliding = axes[axis], inner = innerTaps[axis]
    let start = corner[axis], step = sliding.step, stride = strides[axis]
    let (first, end) = sliding.taps(from: start)
    // The number of processed taps.
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

  /// The maximum length of padding that is combined element by element. A longer run is first reduced to one element,
  /// which rounds differently for sums of real numbers.
  private static let maximumRun = 1 << 12

  private static func pad<Element: Equatable>(
    _ result: inout Element, with padding: Element, count: Int, _ function: (Element, Element) -> Element
  ) {
    guard count > maximumRun else {
      for _ in 0..<max(count, 0) {
        let next = function(result, padding)
        // Zeros in sums, and repeated values in extremes, don't change the result any further.
        let isLast = next == result
        result = next
        if isLast { return }
      }
      return
    }
    // By doubling, so that the time doesn't grow linearly with the run.
    var (power, rest, whole) = (padding, count, Element?.none)
    while rest > 0 {
      if rest & 1 == 1 { whole = whole.map { function($0, power) } ?? power }
      power = function(power, power)
      rest >>= 1
    }
    if let whole { result = function(result, whole) }
  }
}
