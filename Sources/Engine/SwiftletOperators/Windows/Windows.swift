import SwiftletEngine
import SwiftletSchema

/// The common options of convolutions.
struct WindowOptions: Sendable {
  private let padding: WindowPadding
  private let strides: (height: Int, width: Int)
  private var dilations: (height: Int, width: Int)
  private(set) var activation: FusedActivation
  /// The clamp of 8-bit results after the activation.
  private(set) var quantized: ClosedRange<Int32>?
  /// The padding of a folded padding node.
  private var explicitPadding: ExplicitPadding?

  init(
    padding: WindowPadding, strides: (height: Int, width: Int), dilations: (height: Int, width: Int) = (1, 1),
    activation: FusedActivation
  ) {
    self.padding = padding
    self.strides = strides
    self.dilations = dilations
    self.activation = activation
  }

  /// Returns the options with `activation` applied last, or `nil` if they already have one.
  func fusing(_ activation: FusedActivation) -> WindowOptions? {
    guard self.activation == .none, quantized == nil else { return nil }
    var fused = self
    fused.activation = activation
    return fused
  }

  /// Returns the options with quantized values clamped to `quantized` last.
  func clamping(_ quantized: ClosedRange<Int32>) -> WindowOptions {
    var clamped = self
    clamped.quantized = self.quantized.map { $0.clampedBounds(to: quantized) } ?? quantized
    return clamped
  }

  /// Returns the output range of convolutions of quantized tensors.
  func outputRange<Quantized: QuantizedValue>(_ quantization: TensorQuantization, _ type: Quantized.Type) -> OutputRange
  {
    let range = activation.quantizedRange(
      scale: quantization.scale, zeroPoint: quantization.zeroPoint, in: Quantized.range)
    return OutputRange(zeroPoint: quantization.zeroPoint, quantized.map { range.clampedBounds(to: $0) } ?? range)
  }

  /// Returns the options for an input without `padding`, or `nil` if they already have padding.
  func folding(_ padding: ExplicitPadding) -> WindowOptions? {
    guard self.padding == .valid, explicitPadding == nil else { return nil }
    var folded = self
    folded.explicitPadding = padding
    return folded
  }

  /// Returns the options for an input without `padding` and a dilated window, or `nil` if windows have padding, strides,
  /// or a dilation already.
  func dilating(height: Int, width: Int, padding: ExplicitPadding) -> WindowOptions? {
    guard strides == (1, 1), dilations == (1, 1), var dilated = folding(padding) else { return nil }
    dilated.dilations = (height, width)
    return dilated
  }

  /// Returns the geometry of a window of the given size that moves over an input `[batch, height, width, channels]`.
  func geometry(_ node: NodeView, input: TensorSpec, windowHeight: Int, windowWidth: Int) throws -> WindowGeometry {
    guard input.shape.rank == 4, input.shape.dimensions[1...].allSatisfy({ $0 > 0 }) else {
      throw node.invalid("requires an input of rank 4 in which only the batch may be empty, got \(input)")
    }
    let extra = explicitPadding ?? ExplicitPadding(top: 0, bottom: 0, left: 0, right: 0)
    return WindowGeometry(
      batch: input.shape[0],
      height: try WindowAxis(
        node, "height", inputSize: input.shape[1], windowSize: windowHeight, stride: strides.height,
        dilation: dilations.height, padding: padding, padded: (extra.top, extra.bottom)),
      width: try WindowAxis(
        node, "width", inputSize: input.shape[2], windowSize: windowWidth, stride: strides.width,
        dilation: dilations.width, padding: padding, padded: (extra.left, extra.right)),
      channels: input.shape[3])
  }
}

extension ClosedRange<Int32> {
  /// Returns the range with both bounds clamped to `quantized`.
  fileprivate func clampedBounds(to quantized: ClosedRange<Int32>) -> ClosedRange<Int32> {
    func clamp(_ bound: Int32) -> Int32 { Swift.min(Swift.max(bound, quantized.lowerBound), quantized.upperBound) }
    return clamp(lowerBound)...clamp(upperBound)
  }
}

extension WindowPadding {
  /// Creates the padding mode from the options.
  ///
  /// - Throws: An error for an invalid value.
  init(_ node: NodeReader, field: OptionField<WindowPadding>) throws {
    let value = try node.options.code(of: field)
    guard let padding = WindowPadding(rawValue: value) else {
      throw node.invalid("has padding \(value); it must be 0 (SAME) or 1 (VALID)")
    }
    self = padding
  }
}

/// A window that moves along one axis of an image.
struct WindowAxis: Sendable, Hashable {
  let inputSize: Int
  /// The number of elements in the window.
  let windowSize: Int
  let stride: Int
  let dilation: Int
  /// The number of padding elements before the first input element.
  let paddingBefore: Int
  let outputSize: Int

  /// Returns the input position of element 0 of the window at output `position`, which may be outside the input.
  func start(_ position: Int) -> Int { position &* stride &- paddingBefore }

  /// Whether every window is inside the input.
  var isInside: Bool {
    outputSize == 0
      || (paddingBefore == 0 && start(outputSize - 1) + (windowSize - 1) * dilation < inputSize)
  }

  /// The maximum number of window elements inside the input at any output position.
  var maximumElements: Int { min(windowSize, (inputSize - 1) / dilation + 1) }

  /// Returns the window elements inside the input at output `position`.
  func elements(at position: Int) -> Range<Int> {
    let first = start(position)
    let lower = first >= 0 ? 0 : (dilation &- 1 &- first) / dilation
    let upper = first >= inputSize ? 0 : min(windowSize, (inputSize &- first &+ dilation &- 1) / dilation)
    return lower < upper ? lower..<upper : 0..<0
  }
}

extension WindowAxis {
  /// Creates the window from the options of a node.
  ///
  /// - Parameters:
  ///   - padded: The padding elements of a folded padding node, before and after.
  /// - Throws: An error if a size is invalid or doesn't fit 32 bits.
  /// - Source: the output size and padding rules of the reference runtime's windowed operators.
  init(
    _ node: NodeView, _ name: String, inputSize: Int, windowSize: Int, stride: Int, dilation: Int = 1,
    padding: WindowPadding, padded: (before: Int, after: Int) = (0, 0)
  ) throws {
    for (what, size) in [("window", windowSize), ("stride", stride), ("dilation", dilation)] {
      guard size > 0, size <= Int(Int32.max) else {
        throw node.invalid("has a \(name) \(what) of \(size); it must be positive and fit 32 bits")
      }
    }
    let total = inputSize.addingReportingOverflow(padded.before)
    let whole = total.partialValue.addingReportingOverflow(padded.after)
    guard inputSize >= 0, !total.overflow, !whole.overflow, whole.partialValue <= Int(Int32.max),
      padded.before >= 0, padded.after >= 0
    else { throw node.invalid("has an input \(name) of \(inputSize) elements, which exceeds 32 bits") }
    // All factors fit 32 bits, so the products below fit 64 bits.
    let extent = (windowSize - 1) * dilation + 1
    let available = whole.partialValue
    let outputSize: Int
    switch padding {
    case .same: outputSize = (available + stride - 1) / stride
    case .valid:
      outputSize = (available + stride - extent) / stride
      guard outputSize >= 0 else {
        throw node.invalid("has a window of \(extent) along the \(name), larger than the input of \(available)")
      }
    }
    let missing = max(0, (outputSize - 1) * stride + extent - available)
    self.init(
      inputSize: inputSize, windowSize: windowSize, stride: stride, dilation: dilation,
      paddingBefore: padded.before + missing / 2, outputSize: outputSize)
  }
}

extension WindowAxis {
  /// The window elements that are inside the input at some output position, at least one. Padding never becomes
  /// negative.
  var reachedElements: Range<Int> {
    guard outputSize > 0 else { return 0..<windowSize }
    let first = start(0), last = start(outputSize &- 1)
    let before = last >= 0 ? 0 : (dilation &- 1 &- last) / dilation
    let lower = min(before, paddingBefore / dilation, windowSize &- 1)
    let upper = first >= inputSize ? 0 : min(windowSize, (inputSize &- first &+ dilation &- 1) / dilation)
    return lower..<max(upper, lower &+ 1)
  }

  /// Returns the window of only these elements.
  fileprivate func cropped(to elements: Range<Int>) -> WindowAxis {
    WindowAxis(
      inputSize: inputSize, windowSize: elements.count, stride: stride, dilation: dilation,
      paddingBefore: paddingBefore - elements.lowerBound * dilation, outputSize: outputSize)
  }
}

/// The part of a filter that a window covers.
struct FilterPart: Sendable, Hashable {
  let rows: Range<Int>
  let columns: Range<Int>
  /// The size of the whole filter.
  let height: Int
  let width: Int
}

/// A window that moves over the images of an NHWC tensor.
struct WindowGeometry: Sendable, Hashable {
  let batch: Int
  let height: WindowAxis
  let width: WindowAxis
  /// The number of input channels.
  let channels: Int
  /// The part of the filter that the window covers; `nil` if it is the whole filter.
  var filterPart: FilterPart?
  /// The distance of image columns that are adjacent in memory. Each row contains columns 0, `columnPhases`, … first,
  /// then columns 1, `columnPhases` + 1, …
  var columnPhases = 1

  /// The same windows without the elements that are outside the image at every output position, as many elements of
  /// dilated windows are.
  var cropped: WindowGeometry {
    let rows = height.reachedElements, columns = width.reachedElements
    guard rows.count < height.windowSize || columns.count < width.windowSize else { return self }
    return WindowGeometry(
      batch: batch, height: height.cropped(to: rows), width: width.cropped(to: columns), channels: channels,
      filterPart: FilterPart(rows: rows, columns: columns, height: height.windowSize, width: width.windowSize))
  }

  /// Returns the position of an image column in its row.
  func position(ofColumn column: Int) -> Int {
    let (index, phase) = column.quotientAndRemainder(dividingBy: columnPhases)
    return phase &* (width.inputSize / columnPhases) &+ index
  }

  /// The number of output pixels in an image.
  var pixels: Int { height.outputSize * width.outputSize }
  /// The number of elements in the window, without channels.
  var taps: Int { height.windowSize * width.windowSize }
  /// The maximum number of window elements inside the input.
  var maximumElements: Int { height.maximumElements * width.maximumElements }
  /// Whether every window is inside the image.
  var isInside: Bool { height.isInside && width.isInside }
  /// Whether every window is a single pixel, and every pixel of the input is a window.
  var readsPixels: Bool {
    [height, width].allSatisfy { $0.windowSize == 1 && $0.stride == 1 && $0.outputSize == $0.inputSize }
  }
  /// The number of input elements in an image.
  var imageElementCount: Int { height.inputSize * width.inputSize * channels }

  /// Checks the size of images.
  ///
  /// - Throws: An error if the number of elements in an image doesn't fit 32 bits, which indirection buffers require.
  func requireTables(_ node: NodeView) throws {
    guard Shape([height.inputSize, width.inputSize, channels]).elementCount <= Int(Int32.max) else {
      throw RuntimeError(
        .limitExceeded,
        "an input image of \(height.inputSize)×\(width.inputSize)×\(channels) has more elements than fit 32 bits",
        location: node.node.location)
    }
  }
}
