import SwiftletEngine
import SwiftletKernels

/// Zero-padded copies of images, so that every window of a convolution is completely inside.
///
/// A window row is then one tap. For integer types, locating many short taps takes longer than multiplying them. The
/// copy costs one read and one write of data that every product reads several times.
struct PaddedImages: Sendable {
  /// The same windows over the padded images.
  let geometry: WindowGeometry
  /// The slot of the padded images.
  let slot: TensorSlot
  private let original: WindowGeometry

  /// Creates padded images, or returns `nil` if window rows are already taps or wouldn't become taps.
  ///
  /// - Parameter groupChannels: The number of input channels per output channel.
  init?(_ context: PrepareContext, _ geometry: WindowGeometry, groupChannels: Int) throws {
    let height = geometry.height, width = geometry.width
    guard !(height.isInside && width.isInside), width.windowSize > 1, width.dilation == 1,
      groupChannels == geometry.channels
    else { return nil }
    let padded = WindowGeometry(
      batch: geometry.batch, height: height.padded, width: width.padded, channels: geometry.channels,
      filterPart: geometry.filterPart)
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

extension WindowAxis {
  /// The same windows over an input that extends from the start of the first window to the end of the last.
  fileprivate var padded: WindowAxis {
    WindowAxis(
      inputSize: max(0, outputSize - 1) * stride + (windowSize - 1) * dilation + 1, windowSize: windowSize,
      stride: stride,
      dilation: dilation, paddingBefore: 0, outputSize: outputSize)
  }
}
