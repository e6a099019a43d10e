import Testing

@testable import SwiftletKernels

@Suite("Categories and pixel formats")
struct CategoryTests {
  /// Returns the category by its definition.
  private func category(_ scores: [Float], threshold: Float) -> Int {
    if scores.count == 1 { return scores[0] > threshold ? 0 : 255 }
    var best = 0
    for (channel, score) in scores.enumerated() where score > scores[best] { best = channel }
    return best
  }

  private static let channelCounts = [1, 2, 3, 4, 5, 7, 8, 13, 256]

  @Test("the first of the highest scores wins", arguments: channelCounts)
  func decides(channels: Int) {
    var random = SplitMix(seed: UInt64(channels))
    // Few different scores, so that many are equal.
    let values: [Int] = random.integers(6 * channels, in: 0...3)
    let scores = GuardedBuffer(values.map { Float($0) })
    let categories = GuardedBuffer<UInt16>(count: 6, repeating: 999)
    KernelTable.current.images.categories(
      of: scores.pointer, count: 6, channels: channels, threshold: 1, into: categories.pointer)
    let expected = (0..<6).map {
      UInt16(category(Array(scores.values[$0 * channels..<($0 + 1) * channels]), threshold: 1))
    }
    #expect(categories.values == expected)
  }

  @Test("only cells with several categories are interpolated, vertically first", arguments: channelCounts)
  func fills(channels: Int) {
    var random = SplitMix(seed: UInt64(channels))
    let width = 5
    let (upper, lower) = (GuardedBuffer(random.floats(3 * channels)), GuardedBuffer(random.floats(3 * channels)))
    let cells = GuardedBuffer<UInt16>([7, CategoryRow.mixed, CategoryRow.mixed])
    let taps = GuardedBuffer<LinearTap>([
      LinearTap(index0: 0, index1: 1, weight: 0.5), LinearTap(index0: 1, index1: 2, weight: 0),
      LinearTap(index0: 1, index1: 2, weight: 0.3), LinearTap(index0: 1, index1: 2, weight: 0.9),
      LinearTap(index0: 2, index1: 2, weight: 0),
    ])
    for (down, threshold): (Float, Float) in [(0, 0.1), (0.4, -0.2), (1, 0)] {
      var expected: [UInt8] = []
      for tap in taps.values {
        guard cells.values[tap.index0] == CategoryRow.mixed else {
          expected.append(7)
          continue
        }
        let scores = (0..<channels).map { channel in
          let (a, b) = (upper.values[tap.index0 * channels + channel], lower.values[tap.index0 * channels + channel])
          let (c, d) = (upper.values[tap.index1 * channels + channel], lower.values[tap.index1 * channels + channel])
          let (left, right) = (a + (b - a) * down, c + (d - c) * down)
          return left + (right - left) * tap.weight
        }
        expected.append(UInt8(category(scores, threshold: threshold)))
      }
      let output = GuardedBuffer<UInt8>(count: width, repeating: 9)
      var row = CategoryRow(
        upper: upper.pointer, lower: lower.pointer, down: down, threshold: threshold, channels: channels,
        cells: cells.pointer, columns: taps.pointer, width: width)
      KernelTable.current.images.fillCategories(&row, into: output.pointer)
      #expect(output.values == expected)
    }
  }

  @Test("pixels are converted, with luma of colors and opaque alpha", arguments: [1, 3, 4], [1, 3, 4])
  func converts(sourceBytes: Int, targetBytes: Int) {
    var random = SplitMix(seed: 3)
    for (isSourceBlueFirst, isTargetBlueFirst) in [(false, false), (true, false), (false, true), (true, true)] {
      let (red, green, blue) =
        sourceBytes == 1 ? (0, 0, 0) : isSourceBlueFirst ? (2, 1, 0) : (0, 1, 2)
      var conversion = PixelConversion(
        sourceBytes: sourceBytes, targetBytes: targetBytes, red: red, green: green, blue: blue,
        targetRed: isTargetBlueFirst ? 2 : 0, targetBlue: isTargetBlueFirst ? 0 : 2)
      let source = GuardedBuffer<UInt8>(random.integers(7 * sourceBytes, in: 0...255))
      let target = GuardedBuffer<UInt8>(count: 7 * targetBytes, repeating: 9)
      KernelTable.current.images.convertPixels(&conversion, count: 7, source.pointer, into: target.pointer)
      let expected = (0..<7).flatMap { pixel -> [UInt8] in
        let bytes = Array(source.values[pixel * sourceBytes..<(pixel + 1) * sourceBytes])
        if targetBytes == 1 { return [luma(red: bytes[red], green: bytes[green], blue: bytes[blue])] }
        let color = [bytes[red], bytes[green], bytes[blue]]
        let alpha: [UInt8] = targetBytes == 3 ? [] : [sourceBytes == 4 ? bytes[3] : 255]
        return (isTargetBlueFirst ? color.reversed() : color) + alpha
      }
      #expect(target.values == expected)
    }
  }

  @Test("luma and chroma become color, and both columns of a pair share their chroma", arguments: [1, 2, 5, 8])
  func chroma(count: Int) {
    var random = SplitMix(seed: UInt64(count))
    let planes = (
      GuardedBuffer<UInt8>(random.integers(count, in: 0...255)),
      GuardedBuffer<UInt8>(random.integers((count + 1) / 2 * 2, in: 0...255))
    )
    for isRedFirst in [false, true] {
      var conversion = ChromaConversion(
        black: 16, luma: 76309, redFromV: 104_597, greenFromU: -25675, greenFromV: -53279, blueFromU: 132_201,
        isRedFirst: isRedFirst)
      let target = GuardedBuffer<UInt8>(count: 3 * count, repeating: 9)
      KernelTable.current.images.convertChroma(
        &conversion, count: count, luma: planes.0.pointer, chroma: planes.1.pointer, into: target.pointer)
      func byte(_ value: Int) -> UInt8 { UInt8(min(max((value + 32768) >> 16, 0), 255)) }
      var expected: [UInt8] = []
      for column in 0..<count {
        let first = Int(planes.1.values[column / 2 * 2]) - 128
        let second = Int(planes.1.values[column / 2 * 2 + 1]) - 128
        let (u, v) = isRedFirst ? (second, first) : (first, second)
        let brightness = (Int(planes.0.values[column]) - 16) * 76309
        expected.append(byte(brightness + v * 104_597))
        expected.append(byte(brightness - u * 25675 - v * 53279))
        expected.append(byte(brightness + u * 132_201))
      }
      #expect(target.values == expected)
    }
  }

  @Test("pixels are copied forwards and backwards", arguments: [1, 3, 4])
  func moves(pixelBytes: Int) {
    let source = GuardedBuffer<UInt8>((0..<5 * pixelBytes).map { UInt8($0) })
    for (start, stride, count) in [(0, 1, 5), (4, -1, 5), (0, 2, 3), (4, -2, 3), (3, 1, 1), (0, 1, 0)] {
      let target = GuardedBuffer<UInt8>(count: count * pixelBytes, repeating: 99)
      KernelTable.current.images.movePixels(
        source.pointer + start * pixelBytes, stride: stride * pixelBytes, count: count, pixelBytes: pixelBytes,
        into: target.pointer)
      let expected = (0..<count).flatMap { (pixel: Int) -> [UInt8] in
        let place = (start + pixel * stride) * pixelBytes
        return (0..<pixelBytes).map { UInt8(place + $0) }
      }
      #expect(target.values == expected)
    }
  }

  @Test("pixels of a line, and lines, are mixed with the roundings of OpenCV", arguments: [1, 3, 4])
  func mixes(pixelBytes: Int) {
    var random = SplitMix(seed: UInt64(pixelBytes))
    let line = GuardedBuffer<UInt8>(random.integers(4 * pixelBytes, in: 0...255))
    let taps = [(0, 1, 2048), (1, 2, 700), (2, 3, 0), (3, 3, 1)].map { first, second, weight in
      FixedPointTap(
        index0: first * pixelBytes, index1: second * pixelBytes, weight0: Int32(weight), weight1: Int32(2048 - weight))
    }
    let sums = GuardedBuffer<Int32>(count: 4 * pixelBytes, repeating: 9)
    taps.withUnsafeBufferPointer {
      KernelTable.current.images.mixPixels(line.pointer, $0, pixelBytes: pixelBytes, into: sums.pointer)
    }
    let expected = taps.flatMap { (tap: FixedPointTap) -> [Int32] in
      (0..<pixelBytes).map { (channel: Int) -> Int32 in
        let first = Int32(line.values[tap.index0 + channel])
        let second = Int32(line.values[tap.index1 + channel])
        return first * tap.weight0 + second * tap.weight1
      }
    }
    #expect(sums.values == expected)
    let lower = GuardedBuffer<Int32>(random.integers(4 * pixelBytes, in: 0...255 * 2048))
    for weight: Int32 in [0, 1, 999, 2048] {
      let bytes = GuardedBuffer<UInt8>(count: 4 * pixelBytes, repeating: 9)
      KernelTable.current.images.mixLines(
        sums.pointer, lower.pointer, 2048 - weight, weight, count: bytes.count, into: bytes.pointer)
      let mixed = zip(sums.values, lower.values).map { (upper: Int32, lower: Int32) -> UInt8 in
        let first: Int32 = (2048 - weight) * (upper / 16) / 65536
        let second: Int32 = weight * (lower / 16) / 65536
        return UInt8((first + second + 2) / 4)
      }
      #expect(bytes.values == mixed)
    }
  }

  @Test("luma is exact at the ends, and green weighs most")
  func lumaOfColors() {
    #expect(luma(red: 0, green: 0, blue: 0) == 0 && luma(red: 255, green: 255, blue: 255) == 255)
    #expect(luma(red: 255, green: 0, blue: 0) == 76 && luma(red: 0, green: 255, blue: 0) == 150)
    #expect(luma(red: 0, green: 0, blue: 255) == 29)
  }
}
