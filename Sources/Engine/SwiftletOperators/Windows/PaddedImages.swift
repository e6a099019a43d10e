import SwiftletEngine
import SwiftletKernels

/// Zero-padded copies of images, so that every window of a convolution is completely inside.
///
/// A window row is then one tap. For integer types, locating many short taps takes longer than multiplying them. The
/// copy costs one read and one write of data that every product reads several times.
///
/// For dilated windows of few channels at stride 1, the copy also makes the columns of a window adjacent:
///
///     dilation 2    | 0 1 2 3 4 5 6 | → | 0 2 4 6 | 1 3 5 · |
struct PaddedImages: Sendable {
  /// The same windows over the padded images.
  let geometry: WindowGeometry
  /// The slot of the padded images.
  let slot: TensorSlot
  private let original: WindowGeometry

  /// The maximum number of channels for which the columns of dilated windows are made adjacent. Taps of more channels
  /// are long enough.
  private static let maximumDilatedChannels = 32

  /// Creates padded images, or returns `nil` if window rows are already taps or wouldn't become taps.
  ///
  /// - Parameter groupChannels: The number of input channels per output channel.
  init?(_ context: PrepareContext, _ geometry: WindowGeometry, groupChannels: Int) throws {
    let height = geometry.height, width = geometry.width
    let isDilated = width.dilation > 1
    // With larger strides, most of the copied pixels are read by few windows.
    let makesAdjacent = height.stride == 1 && width.stride == 1 && geometry.channels <= Self.maximumDilatedChannels
    guard isDilated || !geometry.isInside, width.windowSize > 1, !isDilated || makesAdjacent,
      groupChannels == geometry.channels
    else { return nil }
    let padded = WindowGeometry(
      batch: geometry.batch, height: height.padded, width: isDilated ? width.padded.undilated : width.padded,
      channels: geometry.channels, filterPart: geometry.filterPart, columnPhases: width.dilation)
    let bytes = Shape([padded.batch, padded.height.inputSize, padded.width.inputSize, padded.channels]).elementCount
    // Windows that are far larger than the image would need far more memory than the image.
    guard bytes / 4 <= geometry.batch * geometry.imageElementCount + (1 << 16) else { return nil }
    original = geometry
    self.geometry = padded
    slot = try context.scratch(bytes: bytes)
  }

  /// Copies images of 8-bit values.
  ///
  /// - Parameters:
  ///   - flipsSigns: Whether int8 values are converted to uint8 values that are 128 higher.
  ///   - zero: The quantized value that represents zero in an image of the input.
  func stage(
    _ input: TensorSlot, flipsSigns: Bool = false, zero: @escaping @Sendable (RunContext, _ image: Int) -> UInt8
  )
    -> PreparedOperator.Stage
  {
    if geometry.columnPhases > 1 { return dilatedStage(input, flipsSigns: flipsSigns, zero: zero) }
    let height = geometry.height.inputSize, channels = geometry.channels
    let rowBytes = geometry.width.inputSize * channels, sourceRowBytes = original.width.inputSize * channels
    let leading = min(rowBytes, original.width.paddingBefore * channels)
    let copied = min(sourceRowBytes, rowBytes - leading)
    return PreparedOperator.Stage(items: geometry.batch * height, cost: Double(rowBytes) * 0.04 + 10) { run, rows in
      let source = UnsafeRawPointer(run.pointer(input)), target = run.pointer(slot)
      for row in rows {
        let (image, line) = row.quotientAndRemainder(dividingBy: height)
        let zero = zero(run, image) ^ (flipsSigns ? SignFlip.mask : 0), to = target + row &* rowBytes
        let sourceLine = line &- original.height.paddingBefore
        guard sourceLine >= 0, sourceLine < original.height.inputSize else {
          to.initializeMemory(as: UInt8.self, repeating: zero, count: rowBytes)
          continue
        }
        let from = source + (image &* original.height.inputSize &+ sourceLine) &* sourceRowBytes
        to.initializeMemory(as: UInt8.self, repeating: zero, count: leading)
        if flipsSigns {
          SignFlip.copy(copied, from: from, to: to + leading)
        } else {
          (to + leading).copyMemory(from: from, byteCount: copied)
        }
        (to + (leading &+ copied)).initializeMemory(
          as: UInt8.self, repeating: zero, count: rowBytes &- leading &- copied)
      }
    }
  }
}

extension PaddedImages {
  /// Copies images whose columns are stored by phase, pixel by pixel.
  private func dilatedStage(
    _ input: TensorSlot, flipsSigns: Bool, zero: @escaping @Sendable (RunContext, _ image: Int) -> UInt8
  ) -> PreparedOperator.Stage {
    let geometry = geometry, original = original
    let height = geometry.height.inputSize, columns = geometry.width.inputSize, channels = geometry.channels
    let flip = flipsSigns ? SignFlip.mask : 0
    return PreparedOperator.Stage(
      items: geometry.batch * height, cost: Double(columns) * (2 + Double(channels) * 0.5) + 10
    ) { run, rows in
      let source = run.pointer(input, as: UInt8.self), target = run.pointer(slot, as: UInt8.self)
      for row in rows {
        let (image, line) = row.quotientAndRemainder(dividingBy: height)
        let to = target + row &* columns &* channels
        to.initialize(repeating: zero(run, image) ^ flip, count: columns &* channels)
        let sourceLine = line &- original.height.paddingBefore
        guard sourceLine >= 0, sourceLine < original.height.inputSize else { continue }
        let from = source + (image &* original.height.inputSize &+ sourceLine) &* original.width.inputSize &* channels
        let copied = min(original.width.inputSize, columns &- original.width.paddingBefore)
        var column = 0
        while column < copied {
          let pixel = to + geometry.position(ofColumn: column &+ original.width.paddingBefore) &* channels
          var channel = 0
          while channel < channels {
            pixel[channel] = from[column &* channels &+ channel] ^ flip
            channel &+= 1
          }
          column &+= 1
        }
      }
    }
  }
}

extension WindowAxis {
  /// The same windows over an input whose columns are stored by phase, with as many columns in each.
  fileprivate var undilated: WindowAxis {
    WindowAxis(
      inputSize: (inputSize + dilation - 1) / dilation * dilation, windowSize: windowSize, stride: stride, dilation: 1,
      paddingBefore: paddingBefore, outputSize: outputSize)
  }

  /// The same windows over an input that extends from the start of the first window to the end of the last.
  fileprivate var padded: WindowAxis {
    WindowAxis(
      inputSize: max(0, outputSize - 1) * stride + (windowSize - 1) * dilation + 1, windowSize: windowSize,
      stride: stride,
      dilation: dilation, paddingBefore: 0, outputSize: outputSize)
  }
}
