import SwiftletSchema

/// How a window's elements become one.
enum WindowFunction: Sendable {
  case add, multiply, minimum, maximum, all, any

  /// The function of a subgraph that has one operator.
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

  /// - Throws: when sizes make no sense or do not fit an integer.
  init(_ spacing: SpacedAxis, window: Int, stride: Int, dilation: Int, _ node: NodeView) throws {
    guard window > 0, stride > 0, dilation > 0, let size = spacing.spacedSize else {
      throw node.invalid(
        "window \(window), stride \(stride) and dilation \(dilation) must be positive, and the padded input must fit an integer")
    }
    let (reach, isTooWide) = (window - 1).multipliedReportingOverflow(by: dilation)
    self.spacing = spacing
    self.window = window
    self.stride = stride
    self.dilation = dilation
    count = isTooWide || reach >= size ? 0 : (size - 1 - reach) / stride + 1
  }
}

/// Windows of a tensor reduced to one element each.
///
/// Elements that padding and spacing put in hold the initial value, and take part. Plain loops: every tap finds its place anew.
struct WindowReduction: Sendable {
  /// The most axes there may be.
  static let maximumRank = 8

  private let axes: [SlidingAxis]
  private let strides: [Int]
  private let taps: Int

  /// - Throws: when there are too many axes, or windows of too many elements.
  init(_ axes: [SlidingAxis], of shape: Shape, _ node: NodeView) throws {
    taps = Shape(axes.map(\.window)).elementCount
    guard axes.count <= Self.maximumRank, taps < Int.max else {
      throw node.invalid("takes windows of at most \(Self.maximumRank) axes whose size fits an integer")
    }
    self.axes = axes
    strides = shape.strides
  }

  /// Output 0 from input 0, with the initial value of input 1.
  func prepare(_ context: PrepareContext, _ function: WindowFunction) throws -> PreparedOperator {
    let input = try context.node.input(0)
    switch input.elementType {
    case .float32: return try prepareNumbers(context, function, Float.self) { $0 + $1 } multiply: { $0 * $1 }
    case .float64: return try prepareNumbers(context, function, Double.self) { $0 + $1 } multiply: { $0 * $1 }
    case .int8, .bool: return try prepareNumbers(context, function, Int8.self) { $0 &+ $1 } multiply: { $0 &* $1 }
    case .uint8: return try prepareNumbers(context, function, UInt8.self) { $0 &+ $1 } multiply: { $0 &* $1 }
    case .int16: return try prepareNumbers(context, function, Int16.self) { $0 &+ $1 } multiply: { $0 &* $1 }
    case .int32: return try prepareNumbers(context, function, Int32.self) { $0 &+ $1 } multiply: { $0 &* $1 }
    case .int64: return try prepareNumbers(context, function, Int64.self) { $0 &+ $1 } multiply: { $0 &* $1 }
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

  private func stage<Element: BitwiseCopyable & Sendable>(
    _ context: PrepareContext, _ type: Element.Type, _ function: @escaping @Sendable (Element, Element) -> Element
  ) throws -> PreparedOperator {
    let (source, start, destination) = (try context.inputSlot(0), try context.inputSlot(1), try context.outputSlot(0))
    let count = try context.node.output(0).shape.elementCount
    return PreparedOperator(items: count, cost: Double(taps) * Double(4 + 4 * axes.count)) { run, items in
      let input = run.pointer(source, as: type)
      let initial = run.pointer(start, as: type).pointee
      let output = run.pointer(destination, as: type)
      for item in items { output[item] = reduced(input, window: item, initial, function) }
    }
  }

  @inline(__always)
  private func reduced<Element>(
    _ input: UnsafeMutablePointer<Element>, window item: Int, _ initial: Element, _ function: (Element, Element) -> Element
  ) -> Element {
    var corner = SIMD8<Int>.zero
    var rest = item
    for axis in stride(from: axes.count &- 1, through: 0, by: -1) {
      let (quotient, position) = rest.quotientAndRemainder(dividingBy: axes[axis].count)
      corner[axis] = position &* axes[axis].stride &- axes[axis].spacing.before
      rest = quotient
    }
    var result = initial
    var tap = SIMD8<Int>.zero
    for _ in 0..<taps {
      result = function(result, offset(corner, tap).map { input[$0] } ?? initial)
      var axis = axes.count &- 1
      while axis >= 0 {
        tap[axis] &+= 1
        if tap[axis] < axes[axis].window { break }
        tap[axis] = 0
        axis &-= 1
      }
    }
    return result
  }

  /// Where a tap lies in the input; `nil` when padding or spacing put it in.
  @inline(__always)
  private func offset(_ corner: SIMD8<Int>, _ tap: SIMD8<Int>) -> Int? {
    var offset = 0
    for axis in 0..<axes.count {
      let place = corner[axis] &+ tap[axis] &* axes[axis].dilation
      let (element, between) = place.quotientAndRemainder(dividingBy: axes[axis].spacing.interior &+ 1)
      guard place >= 0, between == 0, element < axes[axis].spacing.size else { return nil }
      offset &+= element &* strides[axis]
    }
    return offset
  }
}
