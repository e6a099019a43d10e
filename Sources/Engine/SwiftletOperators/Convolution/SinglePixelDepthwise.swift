import SwiftletBase
import SwiftletEngine
import SwiftletKernels

/// A depthwise convolution of bytes with a single output pixel per image, as in models that process audio as it
/// arrives: they join the newest lines with those of former runs, and compute one line.
///
/// Kernels interleave input bytes for all outputs that read them, which takes much longer than the products of a single
/// pixel. Here, weights are 16-bit constants, and the loops are those of the reference.
struct SinglePixelDepthwise: Sendable {
  /// The initial sums of all channels, then the weights of each window element.
  private let packed: AlignedBytes
  private let channels: Int
  private let taps: Int
  private let imageElements: Int
  /// Converts input bytes to signed bytes.
  private let flip: UInt8

  /// Returns the maximum number of products. Kernels compute more of them in less time, and wide windows earliest if
  /// there is an instruction for dot products.
  static func maximumProducts(_ kernels: KernelTable, windowWidth: Int) -> Int {
    windowWidth == 1 || kernels.quantizedGemm.expandsWeights ? 1 << 11 : 1 << 10
  }

  /// Prepares weights and initial sums; `nil` if the convolution has another form, or is faster with kernels.
  init?(
    _ context: PrepareContext, _ geometry: WindowGeometry, multiplier: Int, _ quantization: GemmQuantization,
    isSigned: Bool
  ) throws {
    let height = geometry.height, width = geometry.width, hasBias = context.node.optionalInput(2) != nil
    // The window starts with the image, and its lines are adjacent there.
    guard geometry.pixels == 1, multiplier == 1, geometry.columnPhases == 1, height.isInside, width.isInside,
      width.windowSize == width.inputSize, height.windowSize == 1 || height.dilation == 1,
      geometry.taps <= Self.maximumProducts(context.kernels, windowWidth: width.windowSize) / max(1, geometry.channels),
      context.node.isConstant(1),
      !hasBias || context.node.isConstant(2)
    else { return nil }
    let channels = geometry.channels, taps = geometry.taps
    self.channels = channels
    self.taps = taps
    imageElements = geometry.imageElementCount
    let flip: UInt8 = isSigned ? 0 : 0x80
    self.flip = flip
    let inputZero = quantization.input.zeroPoint &- (isSigned ? 0 : 128), weightZero = quantization.weightZeroPoint
    packed = try context.packed(
      inputs: hasBias ? [1, 2] : [1],
      layout: PackedLayout(
        "single pixels of depthwise bytes", [taps, channels, Int(inputZero), Int(weightZero), Int(flip)]),
      byteCount: channels * 4 + taps * channels * 2
    ) { sources, packed, _ in
      let sums = packed.start.assumingMemoryBound(to: Int32.self)
      let weights = (packed.start + channels * 4).assumingMemoryBound(to: Int16.self)
      for channel in 0..<channels {
        sums[channel] = hasBias ? sources[1].loadUnaligned(fromByteOffset: 4 * channel, as: Int32.self) : 0
      }
      for index in 0..<taps * channels {
        let byte = sources[0][index]
        let weight = (isSigned ? Int32(Int8(bitPattern: byte)) : Int32(byte)) - weightZero
        weights[index] = Int16(truncatingIfNeeded: weight)
        sums[index % channels] &-= inputZero &* weight
      }
    }
  }

  /// Returns the stage from input 0 of the node to its output.
  ///
  /// - Parameter isRounding: Whether sums are rescaled in single precision, as kernels do.
  func stage<Quantized: QuantizedValue>(
    _ context: PrepareContext, images: Int, _ rescaling: IntegerRescaling, isRounding: Bool, _: Quantized.Type
  ) throws -> PreparedOperator.Stage {
    context.uses("depthwise int8 of single pixels", .none)
    let input = try context.inputSlot(0), output = try context.outputSlot(0)
    let kernels = context.kernels.quantization, channels = channels, range = rescaling.range
    let row = NarrowRows(channels: channels, rows: 1), scales = rescaling.singlePrecisionFactors
    context.requireWorkerScratch(bytes: channels * 4)
    return PreparedOperator.Stage(items: images, cost: 50 + 0.15 * Double(taps * channels)) { run, images in
      let sums = run.workerScratch.assumingMemoryBound(to: Int32.self)
      for image in images {
        accumulate(UnsafePointer(run.pointer(input, as: UInt8.self)) + image &* imageElements, into: sums)
        let target = run.pointer(output, as: Quantized.self) + image &* channels
        if isRounding {
          row.round(
            sums, rows: 1, scales: scales, scaled: run.workerScratch.assumingMemoryBound(to: Float.self), range: range,
            isSigned: Quantized.isSigned, output: target, kernels: kernels)
        } else {
          rescaling.apply(
            sums, rows: 1, columns: channels, firstColumn: 0, output: target, distance: channels, kernels: kernels)
        }
      }
    }
  }

  /// Writes the sums of an image. Explicit vectors would be a quarter faster, but ten times slower in debug builds.
  private func accumulate(_ image: UnsafePointer<UInt8>, into sums: UnsafeMutablePointer<Int32>) {
    sums.update(from: packed.start.assumingMemoryBound(to: Int32.self), count: channels)
    var source = image
    var weights = UnsafePointer((packed.start + channels &* 4).assumingMemoryBound(to: Int16.self))
    for _ in 0..<taps {
      for channel in 0..<channels {
        // A signed byte by a weight of at most 255 fits 16 bits, of which vectors have the most lanes.
        sums[channel] &+= Int32(Int16(Int8(bitPattern: source[channel] ^ flip)) &* weights[channel])
      }
      source += channels
      weights += channels
    }
  }
}
