import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// RESIZE_BILINEAR: an image at another size. Every pixel is a blend of the four nearest input pixels.
///
/// - Shapes: input `[batch, height, width, channels]`; size `[2]`.
/// - Types: data float32, uint8, int8, or int16, not requantized; size int32.
/// - Source: operator 23 of the model format, with the reference's positions and rounding: single precision for float32
///   and uint8, and fixed point with ten fraction bits for int8 and int16. In fast numerics, float32 and int8 are
///   bit-exact with XNNPACK: float32 blends columns first, and int8 has eleven fraction bits and rounds half up.
struct ResizeBilinearOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .resizeBilinear, versions: 1...4, floatError: 1e-6,
      types: .uniform([.float32, .uint8, .int8, .int16], then: .int32))
  }

  private let rule: ResizeRule

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 2...2)
    rule = ResizeRule(
      alignsCorners: try node.options[ResizeBilinearOptions.alignCorners],
      hasHalfPixelCenters: try node.options[ResizeBilinearOptions.halfPixelCenters])
    guard !(rule.alignsCorners && rule.hasHalfPixelCenters) else {
      throw node.invalid("sets align_corners and half_pixel_centers, which are mutually exclusive")
    }
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] { [try ResizeGeometry(node).outputShape] }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let geometry = try ResizeGeometry(context.node)
    guard geometry.outputShape.elementCount > 0 else { return .empty }
    let rowElements = geometry.inputWidth.multipliedReportingOverflow(by: geometry.channels)
    guard !rowElements.overflow, rowElements.partialValue <= Int(Int32.max) else {
      throw context.node.invalid("a row of input \(try context.node.input(0)) is too long")
    }
    try geometry.requireTables(context)
    let kernels = context.kernels.resize
    context.uses("vector interpolation")
    switch try context.node.input(0).elementType {
    case .float32 where context.options.numerics == .bitExact:
      context.uses("interpolation in the reference's order", .none)
      return try mixingScaledRows(
        Float.self, geometry, context, scale: { kernels.scaleRow($0, by: $1, count: $2, into: $3) }
      ) { kernels.mixColumns($0, $1, taps: $2, channels: $3, into: $4) }
    case .float32: return try RowInterpolation(geometry, rule, kernels).prepared(context)
    case .uint8:
      return try mixingScaledRows(
        UInt8.self, geometry, context, scale: { kernels.scaleRow($0, by: $1, count: $2, into: $3) }
      ) { kernels.mixColumns($0, $1, taps: $2, channels: $3, into: $4) }
    case .int8:
      let mixing = context.options.numerics == .fast ? ByteMixing.fast : .reference
      return try mixingIntegers(
        Int8.self, geometry, context,
        taps: mixing == .fast ? { rule.fixedPointTaps(input: $0, output: $1, one: mixing.one) } : rule.fixedPointTaps,
        rows: kernels.mixRows
      ) { kernels.mixColumns($0, taps: $1, channels: $2, mixing, into: $3) }
    default:
      return try mixingIntegers(
        Int16.self, geometry, context, taps: rule.fixedPointTaps, rows: kernels.mixRows, columns: kernels.mixColumns)
    }
  }

  /// Scales rows by their weights and adds them together with the columns: four products per element, added in the
  /// reference's order.
  private func mixingScaledRows<Element>(
    _ type: Element.Type, _ geometry: ResizeGeometry, _ context: PrepareContext,
    scale: @escaping @Sendable (UnsafePointer<Element>, Float, Int, UnsafeMutablePointer<Float>) -> Void,
    columns mixColumns:
      @escaping @Sendable (
        UnsafePointer<Float>, UnsafePointer<Float>, UnsafeBufferPointer<ColumnTap<Float>>, Int,
        UnsafeMutablePointer<Element>
      ) -> Void
  ) throws -> PreparedOperator {
    let rows = rule.floatTaps(input: geometry.inputHeight, output: geometry.outputHeight)
    let columns = MixedColumns(
      rule.floatTaps(input: geometry.inputWidth, output: geometry.outputWidth), inputWidth: geometry.inputWidth,
      channels: geometry.channels)
    context.requireWorkerScratch(bytes: columns.rowElements * 8 + ResizeKernels.slackBytes)
    return try LinearRows(geometry, context).prepared(cost: columns.cost * 2) { run, row, image, output in
      let tap = rows[row]
      let input = UnsafePointer(run.input.assumingMemoryBound(to: Element.self)) + image &* geometry.inputElements
      let first = run.scratch.assumingMemoryBound(to: Float.self)
      let second = first + columns.rowElements
      columns.forEachRun { start, target, count in
        scale(input + (tap.lower &* geometry.inputRowElements &+ start), tap.lowerWeight, count, first + target)
        scale(input + (tap.upper &* geometry.inputRowElements &+ start), tap.upperWeight, count, second + target)
      }
      columns.taps.withUnsafeBufferPointer {
        mixColumns(first, second, $0, geometry.channels, output.assumingMemoryBound(to: Element.self))
      }
    }
  }

  private func mixingIntegers<Element: FixedWidthInteger & Sendable>(
    _ type: Element.Type, _ geometry: ResizeGeometry, _ context: PrepareContext,
    taps: (_ input: Int, _ output: Int) -> [LinearTap<Int32>],
    rows mixRows:
      @escaping @Sendable (
        UnsafePointer<Element>, UnsafePointer<Element>, Int32, Int32, Int, UnsafeMutablePointer<Int32>
      ) -> Void,
    columns mixColumns:
      @escaping @Sendable (
        UnsafePointer<Int32>, UnsafeBufferPointer<ColumnTap<Int32>>, Int, UnsafeMutablePointer<Element>
      ) -> Void
  ) throws -> PreparedOperator {
    let rows = taps(geometry.inputHeight, geometry.outputHeight)
    let columns = MixedColumns(
      taps(geometry.inputWidth, geometry.outputWidth), inputWidth: geometry.inputWidth,
      channels: geometry.channels)
    context.requireWorkerScratch(bytes: columns.rowElements * 4 + ResizeKernels.slackBytes)
    return try LinearRows(geometry, context).prepared(cost: columns.cost * 3) { run, row, image, output in
      let tap = rows[row]
      let input = UnsafePointer(run.input.assumingMemoryBound(to: Element.self)) + image &* geometry.inputElements
      let mixed = run.scratch.assumingMemoryBound(to: Int32.self)
      columns.forEachRun { start, target, count in
        mixRows(
          input + (tap.lower &* geometry.inputRowElements &+ start),
          input + (tap.upper &* geometry.inputRowElements &+ start),
          tap.lowerWeight, tap.upperWeight, count, mixed + target)
      }
      columns.taps.withUnsafeBufferPointer {
        mixColumns(mixed, $0, geometry.channels, output.assumingMemoryBound(to: Element.self))
      }
    }
  }
}

extension ResizeGeometry {
  var inputRowElements: Int { inputWidth &* channels }
  var inputElements: Int { inputHeight &* inputRowElements }
}

/// RESIZE_NEAREST_NEIGHBOR: an image at another size. Every pixel is the nearest input pixel.
///
/// - Shapes: input `[batch, height, width, channels]`; size `[2]`.
/// - Types: data of every type of whole bytes; size int32.
/// - Source: operator 97 of the model format, with positions in single precision as in the reference.
struct ResizeNearestNeighborOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .resizeNearestNeighbor, versions: 1...4, types: .uniform(TypeSet.plain.types, then: .int32))
  }

  private let rule: ResizeRule

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 2...2)
    rule = ResizeRule(
      alignsCorners: try node.options[ResizeNearestNeighborOptions.alignCorners],
      hasHalfPixelCenters: try node.options[ResizeNearestNeighborOptions.halfPixelCenters])
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] { [try ResizeGeometry(node).outputShape] }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    let geometry = try ResizeGeometry(node)
    guard geometry.outputShape.elementCount > 0 else { return .empty }
    try geometry.requireTables(context)
    let rows = rule.nearest(input: geometry.inputHeight, output: geometry.outputHeight)
    let pixelBytes = geometry.channels * (try node.elementBytes(ofInput: 0))
    let columns = rule.nearest(input: geometry.inputWidth, output: geometry.outputWidth).map { $0 * pixelBytes }
    let inputRowBytes = geometry.inputWidth * pixelBytes
    let outputRowBytes = geometry.outputWidth * pixelBytes
    let source = try context.inputSlot(0)
    let destination = try context.outputSlot(0)
    let cost = Double(outputRowBytes) * 0.05 + Double(columns.count) * 2

    return PreparedOperator(items: geometry.batch * rows.count, cost: cost) { run, items in
      let from = run.pointer(source)
      let to = run.pointer(destination)
      var previous = -1
      for item in items {
        let (image, row) = item.quotientAndRemainder(dividingBy: rows.count)
        let inputRow = image &* geometry.inputHeight &+ rows[row]
        let target = to.advanced(by: item &* outputRowBytes)
        if inputRow == previous {
          target.copyMemory(from: target.advanced(by: 0 &- outputRowBytes), byteCount: outputRowBytes)
          continue
        }
        previous = inputRow
        let base = from.advanced(by: inputRow &* inputRowBytes)
        columns.withUnsafeBufferPointer { columns in
          for column in 0..<columns.count {
            moveBytes(
              pixelBytes, from: base.advanced(by: columns[column]), to: target.advanced(by: column &* pixelBytes))
          }
        }
      }
    }
  }
}

extension ResizeRule {
  /// Returns the input pixel of every output pixel.
  fileprivate func nearest(input: Int, output: Int) -> [Int] {
    let scale = scale(input: input, output: output)
    let offset: Float = hasHalfPixelCenters ? 0.5 : 0
    return (0..<output).map { position in
      let exact = (Float(position) + offset) * scale
      return min(max(0, Int(alignsCorners ? exact.rounded(.toNearestOrAwayFromZero) : exact.rounded(.down))), input - 1)
    }
  }
}
