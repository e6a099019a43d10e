import Testing

@testable import SwiftletKernels

/// A kind of image and tensor row.
struct RowSamplingCase: Sendable, CustomTestStringConvertible {
  let pixelBytes: Int
  let sampledBytes: Int
  let isLuma: Bool
  /// Whether the image stores blue before red.
  let isBlueFirst: Bool
  let isMirrored: Bool
  let hasZeroBorder: Bool

  var testDescription: String {
    """
    \(pixelBytes) to \(sampledBytes) bytes\(isLuma ? ", luma" : "")\(isBlueFirst ? ", blue first" : "")\
    \(isMirrored ? ", mirrored" : "")\(hasZeroBorder ? ", black border" : "")
    """
  }

  static let all: [RowSamplingCase] = {
    let kinds = [
      (1, 1, false, false), (3, 3, false, false), (3, 1, true, false), (4, 3, false, false), (4, 3, false, true),
      (4, 4, false, true), (4, 4, false, false), (4, 1, true, true),
    ]
    return kinds.flatMap { kind in
      [(false, false), (true, true), (false, true), (true, false)].map { isMirrored, hasZeroBorder in
        RowSamplingCase(
          pixelBytes: kind.0, sampledBytes: kind.1, isLuma: kind.2, isBlueFirst: kind.3, isMirrored: isMirrored,
          hasZeroBorder: hasZeroBorder)
      }
    }
  }()

  func row(width: Int, height: Int, bytesPerRow: Int, _ path: WarpPath) -> SampledRow {
    var source = SourceGeometry()
    (source.width, source.height, source.rowStride) = (width, height, bytesPerRow)
    source.columnStride = isMirrored ? -pixelBytes : pixelBytes
    source.origin = isMirrored ? (width - 1) * pixelBytes : 0
    source.hasZeroBorder = hasZeroBorder
    var row = SampledRow(
      source: source, path: path, sampledBytes: sampledBytes, isLuma: isLuma,
      red: pixelBytes == 1 ? 0 : isBlueFirst ? 2 : 0, green: pixelBytes == 1 ? 0 : 1,
      blue: pixelBytes == 1 ? 0 : isBlueFirst ? 0 : 2)
    row.pairedRows = max(height - (pixelBytes == 4 ? 1 : 2), 0)
    return row
  }
}

@Suite("Sampling of image rows")
struct RowSamplingTests {
  /// Returns the bytes of a pixel at a position in units of 1/32 pixel: the definition of bilinear interpolation with
  /// weights that sum to 1024.
  private func pixel(
    _ image: [UInt8], _ row: SampledRow, x: Int, y: Int, _ sampling: RowSamplingCase
  ) -> [UInt8] {
    func channel(_ channel: Int) -> UInt8 {
      var sum = 512
      for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        let (column, line) = ((x >> 5) + dx, (y >> 5) + dy)
        let weight = (dx == 0 ? 32 - (x & 31) : x & 31) * (dy == 0 ? 32 - (y & 31) : y & 31)
        let isInside = (0..<row.source.width).contains(column) && (0..<row.source.height).contains(line)
        if row.source.hasZeroBorder && !isInside { continue }
        let (nearColumn, nearLine) = (
          min(max(column, 0), row.source.width - 1), min(max(line, 0), row.source.height - 1)
        )
        let place = row.source.origin + nearColumn * row.source.columnStride + nearLine * row.source.rowStride
        sum += weight * Int(image[place + channel])
      }
      return UInt8(sum >> 10)
    }
    let (red, green, blue) = (channel(row.red), channel(row.green), channel(row.blue))
    if sampling.isLuma { return [luma(red: red, green: green, blue: blue)] }
    return [red, green, blue, sampling.sampledBytes == 4 ? channel(3) : 0].prefix(sampling.sampledBytes).map(\.self)
  }

  /// Images of one pixel up, and tensor rows around the width of a block.
  private static let sizes = [(1, 1, 1), (1, 5, 4), (7, 1, 9), (2, 2, 63), (13, 9, 64), (31, 20, 65), (40, 33, 131)]

  @Test("a turned region is interpolated exactly, without reading past the image", arguments: RowSamplingCase.all)
  func general(_ sampling: RowSamplingCase) {
    var random = SplitMix(seed: 7)
    for (width, height, tensorWidth) in Self.sizes {
      let bytesPerRow = width * sampling.pixelBytes + 5
      let count = bytesPerRow * (height - 1) + width * sampling.pixelBytes
      let image = GuardedBuffer<UInt8>(random.integers(count, in: 0...255))
      for angle in [0.3, 1.6, 3.9, 5.0] {
        // The region reaches a little beyond the image on all sides.
        let scale = Double(max(width, height)) * 1.3 / Double(tensorWidth)
        let (cosine, sine) = (cosine(angle) * scale, sineOf(angle) * scale)
        let path = WarpPath(
          ((cosine, -sine, Double(width) * 0.3), (sine, cosine, -1.7), (1e-9, -2e-9, 1)), tensorWidth: tensorWidth,
          tensorHeight: 21)
        var row = sampling.row(width: width, height: height, bytesPerRow: bytesPerRow, path)
        row.pairedColumns = sampling.sampledBytes == 4 ? tensorWidth : sampling.sampledBytes == 3 ? tensorWidth - 1 : 0
        for index in [0, 8, 20] {
          row.row = index
          var expected: [UInt8] = []
          for column in 0..<tensorWidth {
            let start = column / path.blockWidth * path.blockWidth
            let (x, y) = path.block(row: index, from: start).position(column)
            expected += pixel(
              image.values, row, x: Int(x.rounded(.toNearestOrEven)), y: Int(y.rounded(.toNearestOrEven)), sampling)
          }
          let bytes = GuardedBuffer<UInt8>(count: tensorWidth * sampling.sampledBytes, repeating: 99)
          KernelTable.current.images.sampleRow(&row, of: image.pointer, into: bytes.pointer)
          #expect(bytes.values == expected, "\(width) × \(height) to \(tensorWidth), angle \(angle), row \(index)")
        }
      }
    }
  }

  @Test("every fraction at every edge of an image is interpolated exactly", arguments: RowSamplingCase.all)
  func edges(_ sampling: RowSamplingCase) {
    var random = SplitMix(seed: 10)
    // Steps of 1/32 pixel from more than a pixel before the image to more than a pixel after it.
    let (width, height, before, columns) = (3, 4, 40, 3 * 32 + 80)
    let bytesPerRow = width * sampling.pixelBytes
    let image = GuardedBuffer<UInt8>(random.integers(bytesPerRow * height, in: 0...255))
    let offset = -Double(before) / 32
    let path = WarpPath(
      ((1 / 32, 0, offset), (0, 1 / 32, offset), (0, 0, 1)), tensorWidth: columns, tensorHeight: 4 * 32 + 80)
    var row = sampling.row(width: width, height: height, bytesPerRow: bytesPerRow, path)
    row.pairedColumns = sampling.sampledBytes == 4 ? columns : sampling.sampledBytes == 3 ? columns - 1 : 0
    for y in [-40, -33, -32, -31, -1, 0, 1, 31, 32, 64, 65, 95, 96, 97, 127, 128, 129, 160] {
      row.row = y + before
      let expected = (0..<columns).flatMap { pixel(image.values, row, x: $0 - before, y: y, sampling) }
      let bytes = GuardedBuffer<UInt8>(count: columns * sampling.sampledBytes, repeating: 99)
      KernelTable.current.images.sampleRow(&row, of: image.pointer, into: bytes.pointer)
      #expect(bytes.values == expected, "y \(y)")
    }
  }

  private func cosine(_ angle: Double) -> Double { sineOf(angle + .pi / 2) }
  /// The sine by its series, which is as good as any other number here.
  private func sineOf(_ angle: Double) -> Double {
    var (term, sum) = (angle, angle)
    for index in 1..<15 {
      term *= -angle * angle / Double(2 * index * (2 * index + 1))
      sum += term
    }
    return sum
  }

  @Test("an upright region is interpolated exactly, without reading past the image", arguments: RowSamplingCase.all)
  func separable(_ sampling: RowSamplingCase) {
    var random = SplitMix(seed: 8)
    for (width, height, tensorWidth) in Self.sizes {
      let bytesPerRow = width * sampling.pixelBytes + 2
      let count = bytesPerRow * (height - 1) + width * sampling.pixelBytes
      let image = GuardedBuffer<UInt8>(random.integers(count, in: 0...255))
      let path = WarpPath(((1, 0, 0), (0, 1, 0), (0, 0, 1)), tensorWidth: tensorWidth, tensorHeight: 4)
      var row = sampling.row(width: width, height: height, bytesPerRow: bytesPerRow, path)
      let positions: [Int32] = random.integers(tensorWidth, in: -70...Int32(32 * width + 40))
      let columns = positions.map { row.source.horizontalTap($0) }
      for y: Int32 in [-40, -3, 0, 17, Int32(32 * height - 33), Int32(32 * height - 31), Int32(32 * height + 9)] {
        row.vertical = row.source.verticalTap(y)
        let farthest =
          row.source.origin + (columns.map { max($0.offset0, $0.offset1) }.max() ?? 0)
          + max(row.vertical.offset0, row.vertical.offset1)
        // As the caller does: pairs read four bytes, and need weights that sum to 32.
        let takesPairs =
          sampling.sampledBytes > 1 && farthest + 4 <= count && row.vertical.weight0 + row.vertical.weight1 == 32
        row.pairedColumns = takesPairs ? (sampling.sampledBytes == 4 ? tensorWidth : tensorWidth - 1) : 0
        let bytes = GuardedBuffer<UInt8>(count: tensorWidth * sampling.sampledBytes, repeating: 99)
        columns.withUnsafeBufferPointer {
          row.columns = $0.baseAddress
          KernelTable.current.images.sampleRow(&row, of: image.pointer, into: bytes.pointer)
        }
        let expected = positions.flatMap { pixel(image.values, row, x: Int($0), y: Int(y), sampling) }
        #expect(bytes.values == expected, "\(width) × \(height) to \(tensorWidth), y \(y)")
      }
    }
  }

  @Test("weights of taps outside the image are 0 only with a black border")
  func taps() {
    var source = SourceGeometry()
    (source.width, source.height, source.columnStride, source.rowStride) = (3, 2, 4, 20)
    for (position, offsets, weights, black): (Int32, [Int], [Int32], [Int32]) in [
      (-33, [0, 0], [1, 31], [0, 0]), (-32, [0, 0], [32, 0], [0, 0]), (-1, [0, 0], [1, 31], [0, 31]),
      (0, [0, 4], [32, 0], [32, 0]), (40, [4, 8], [24, 8], [24, 8]), (64, [8, 8], [32, 0], [32, 0]),
      (65, [8, 8], [31, 1], [31, 0]), (96, [8, 8], [32, 0], [0, 0]),
    ] {
      source.hasZeroBorder = false
      let tap = source.horizontalTap(position)
      #expect([tap.offset0, tap.offset1] == offsets && [tap.weight0, tap.weight1] == weights, "\(position)")
      source.hasZeroBorder = true
      let other = source.horizontalTap(position)
      #expect([other.offset0, other.offset1] == offsets && [other.weight0, other.weight1] == black, "\(position)")
    }
    #expect(source.verticalTap(8).offset1 == 20)
  }

  @Test("sampled bytes become elements, with repeated gray and opaque alpha", arguments: [1, 3, 4], [1, 3, 4])
  func expands(sampledBytes: Int, channels: Int) {
    guard sampledBytes <= channels else { return }
    var random = SplitMix(seed: 9)
    let table: [Float] = (0..<256 * channels).map { Float($0) * 0.5 - 3 }
    let bytesTable: [UInt8] = (0..<256 * channels).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
    for width in [1, 2, 5, 64] {
      let sampled: [UInt8] = random.integers(width * sampledBytes, in: 0...255)
      var places: [Int] = []
      for pixel in 0..<width {
        for channel in 0..<channels {
          let byte =
            sampledBytes == 1 && channel < 3
            ? sampled[pixel] : channel < sampledBytes ? sampled[pixel * sampledBytes + channel] : 255
          places.append(256 * channel + Int(byte))
        }
      }
      // The bytes are at the end of the row that they become.
      let floats = GuardedBuffer<Float>(count: width * channels, repeating: 0)
      let floatBytes = UnsafeMutableRawPointer(floats.pointer + width * channels) - sampled.count
      sampled.withUnsafeBytes { floatBytes.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
      KernelTable.current.images.expandRow(
        floatBytes, sampledBytes: sampledBytes, channels: channels, width: width, table, into: floats.pointer)
      #expect(floats.values == places.map { table[$0] })

      let bytes = GuardedBuffer<UInt8>(count: width * channels, repeating: 0)
      let tail = UnsafeMutableRawPointer(bytes.pointer + width * channels) - sampled.count
      sampled.withUnsafeBytes { tail.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
      KernelTable.current.images.expandRow(
        tail, sampledBytes: sampledBytes, channels: channels, width: width, bytesTable, into: bytes.pointer)
      #expect(bytes.values == places.map { bytesTable[$0] })
    }
  }
}
