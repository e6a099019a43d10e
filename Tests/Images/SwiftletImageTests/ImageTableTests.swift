import SwiftletKernels
import SwiftletTestSupport
import Testing

@testable import SwiftletImage

@Suite("Tables and defaults of images")
struct ImageTableTests {
  private func error<Value>(_ body: () throws -> Value) -> ImageError? { thrownError(body) }

  @Test("error codes differ, and precede the message")
  func errors() {
    let codes: [ImageError.Code] = [
      .invalidSize, .invalidStride, .tooFewBytes, .unsupportedFormat, .invalidRegion, .invalidParameter,
    ]
    #expect(
      codes.map(\.rawValue) == [
        "invalidSize", "invalidStride", "tooFewBytes", "unsupportedFormat", "invalidRegion", "invalidParameter",
      ])
    #expect(codes.map(\.description) == codes.map(\.rawValue))
    let error = ImageError(code: .invalidStride, message: "short")
    #expect(error.description == "invalidStride: short" && error.message == "short" && error.code == .invalidStride)
  }

  @Test("formats have their bytes, and Core Video's codes")
  func formats() throws {
    #expect(PixelFormat.allCases.map(\.rawValue) == ["rgb8", "rgba8", "bgra8", "gray8"])
    #expect(PixelFormat.allCases.map(\.description) == PixelFormat.allCases.map(\.rawValue))
    #expect(PixelFormat.allCases.map(\.bytesPerPixel) == [3, 4, 4, 1])
    #expect(PixelFormat.allCases.map(\.hasAlpha) == [false, true, true, false])
    #expect(
      PixelFormat.allCases.map { [$0.colorOffsets.red, $0.colorOffsets.green, $0.colorOffsets.blue] }
        == [[0, 1, 2], [0, 1, 2], [2, 1, 0], [0, 0, 0]])
    func code(_ text: String) -> UInt32 { text.utf8.reduce(0) { $0 << 8 | UInt32($1) } }
    #expect(try PixelFormat(coreVideoCode: code("BGRA")) == .bgra8)
    #expect(try PixelFormat(coreVideoCode: code("RGBA")) == .rgba8)
    #expect(try PixelFormat(coreVideoCode: 24) == .rgb8)
    #expect(try PixelFormat(coreVideoCode: code("L008")) == .gray8)
    for other in [code("ARGB"), code("ABGR"), code("420v"), code("420f"), code("L016"), 0, 23, 25, 32] {
      let error = error { try PixelFormat(coreVideoCode: other) }
      #expect(error?.code == .unsupportedFormat)
      #expect(error?.message.contains("accepted are BGRA (32-bit), RGBA (32-bit), 24-bit RGB (24)") == true)
    }
    #expect(PixelFormat.name(ofCoreVideoCode: code("420v")) == "'420v' (0x34323076)")
    #expect(PixelFormat.name(ofCoreVideoCode: code("~ ~ ")) == "'~ ~ ' (0x7e207e20)")
    #expect(PixelFormat.name(ofCoreVideoCode: 0x7F20_2020) == "2132811808")
    #expect(
      PixelFormat.name(ofCoreVideoCode: 0x2020_201F) == "538976287" && PixelFormat.name(ofCoreVideoCode: 24) == "24")
  }

  @Test("every orientation has its own table", arguments: ImageOrientation.allCases)
  func orientations(orientation: ImageOrientation) {
    let names = ["up", "upMirrored", "down", "downMirrored", "leftMirrored", "right", "rightMirrored", "left"]
    let index = orientation.rawValue - 1
    #expect("\(orientation)" == names[index])
    #expect(orientation.isMirrored == names[index].hasSuffix("Mirrored"))
    #expect(orientation.swapsWidthAndHeight == (index >= 4))
    #expect(orientation.inverse == (orientation == .left ? .right : orientation == .right ? .left : orientation))
    #expect(orientation.clockwiseQuarterTurns == [0, 0, 2, 2, 1, 1, 3, 3][index])
    let quarters: [Float] = [0, 0, -2, -2, -1, -1, 1, 1]
    #expect(abs(orientation.regionRotation - quarters[index] * .pi / 2) < 1e-6)
    #expect(orientation.storedToUpright == orientation.inverse.uprightToStored)
  }

  @Test("rectangles and points keep their values")
  func rectangles() {
    let point = NormalizedPoint(x: 0.25, y: 0.5)
    let rect = NormalizedRect(center: point, width: 0.125, height: 0.75, rotation: 2)
    #expect(rect.center == point && rect.width == 0.125 && rect.height == 0.75 && rect.rotation == 2)
    #expect(NormalizedRect(center: point, width: 1, height: 1).rotation == 0)
    let edges = NormalizedRect(left: 0.25, top: 0, right: 0.5, bottom: 1)
    #expect(edges == NormalizedRect(center: NormalizedPoint(x: 0.375, y: 0.5), width: 0.25, height: 1))
    #expect(NormalizedRect.fullImage == NormalizedRect(left: 0, top: 0, right: 1, bottom: 1))
    #expect(point.inPixels(width: 8, height: 4) == PixelPoint(x: 2, y: 2))
    #expect(PixelPoint(x: 2, y: 3).normalized(width: 8, height: 4) == NormalizedPoint(x: 0.25, y: 0.75))
    for (x, y, isInside) in [
      (0, 0, true), (1, 1, true), (0, 1, true), (1.001, 0, false), (0, 1.001, false), (-0.001, 0, false),
      (0, -0.001, false), (.nan, 0, false),
    ] as [(Float, Float, Bool)] { #expect(NormalizedPoint(x: x, y: y).isInsideImage == isInside) }
  }

  @Test("a region of a rotated image has swapped sides, in pixels")
  func turnedUpright() {
    let rect = NormalizedRect(center: NormalizedPoint(x: 0.25, y: 0.75), width: 0.5, height: 0.25, rotation: 1)
    for orientation in ImageOrientation.allCases {
      let turned = rect.turnedUpright(orientation, imageWidth: 200, imageHeight: 100)
      #expect(turned.center == rect.center && turned.rotation == 1 + orientation.regionRotation)
      // 100 × 25 pixels.
      #expect(turned.width == (orientation.swapsWidthAndHeight ? 0.125 : 0.5))
      #expect(turned.height == (orientation.swapsWidthAndHeight ? 1 : 0.25))
    }
  }

  @Test("projections are applied one after the other, and back")
  func projections() throws {
    let one = ImageProjection(xx: 2, xy: 3, x0: 5, yx: 7, yy: 11, y0: 13, zScale: 17)
    let other = ImageProjection(xx: 1, xy: -2, x0: 4, yx: 3, yy: 5, y0: -6, zScale: 0.5)
    #expect(one(NormalizedPoint(x: 1, y: 10)) == NormalizedPoint(x: 37, y: 130))
    let both = one.followed(by: other)
    #expect(both == ImageProjection(xx: -12, xy: -19, x0: -17, yx: 41, yy: 64, y0: 74, zScale: 8.5))
    #expect(both(NormalizedPoint(x: 1, y: 10)) == other(one(NormalizedPoint(x: 1, y: 10))))
    #expect(ImageProjection(xx: 1, xy: 0, x0: 0, yx: 0, yy: 1, y0: 0).zScale == 1)
    let inverse = try #require(one.inverse)
    #expect(
      inverse == ImageProjection(xx: 11, xy: -3, x0: -16, yx: -7, yy: 2, y0: 9, zScale: 1 / 17))
    var flat = one
    flat.zScale = 0
    #expect(flat.inverse == nil)
    for (xx, yy) in [(0, 1), (1, 0), (.infinity, 1), (.nan, 1)] as [(Float, Float)] {
      #expect(ImageProjection(xx: xx, xy: 0, x0: 0, yx: 0, yy: yy, y0: 0).inverse == nil)
    }
    let box = ImageProjection(xx: 0, xy: -1, x0: 0, yx: 2, yy: 0, y0: 0).boundingBox(
      left: 1, top: 2, right: 3, bottom: 5)
    #expect([box.left, box.top, box.right, box.bottom] == [-5, 2, -2, 6])
    let turned = ImageProjection(xx: 1, xy: 1, x0: 0, yx: -1, yy: 1, y0: 0).boundingBox(
      left: 0, top: 0, right: 1, bottom: 2)
    #expect([turned.left, turned.top, turned.right, turned.bottom] == [0, -1, 3, 2])
  }

  // MARK: Normalization

  @Test("normalizations have one to four finite values each")
  func normalizations() throws {
    for count in 0...5 {
      let numbers = [Float](repeating: 2, count: count)
      #expect((error { try PixelNormalization(scale: numbers, offset: numbers) } == nil) == (1...4).contains(count))
      #expect(
        (error { try PixelNormalization(mean: numbers, standardDeviation: numbers) } == nil) == (1...4).contains(count))
    }
    for (scale, offset) in [([1, 2], [1]), ([1], [1, 2]), ([.infinity], [0]), ([1], [.nan]), ([1, .nan], [0, 0])]
      as [([Float], [Float])]
    {
      let error = error { try PixelNormalization(scale: scale, offset: offset) }
      #expect(error?.code == .invalidParameter)
      #expect(error?.message.hasPrefix("normalization with scale \(scale) and offset \(offset) is not usable") == true)
    }
    for (mean, deviation) in [([1, 2], [1]), ([1], [0]), ([1, 1], [1, 0])] as [([Float], [Float])] {
      let error = error { try PixelNormalization(mean: mean, standardDeviation: deviation) }
      #expect(error?.code == .invalidParameter)
      #expect(error?.message.contains("and no deviation may be 0") == true)
    }
    let normalization = try PixelNormalization(mean: [0, 51], standardDeviation: [255, 51])
    #expect(normalization.offset == [0, -1] && normalization.scale == [Float(1) / 255, Float(5) / 255])
    #expect(PixelNormalization.zeroToOne.scale == [Float(1) / 255] && PixelNormalization.zeroToOne.offset == [0])
    #expect(
      PixelNormalization.minusOneToOne.scale == [Float(2) / 255] && PixelNormalization.minusOneToOne.offset == [-1])
    #expect(PixelNormalization.unchanged.scale == [1] && PixelNormalization.unchanged.offset == [0])
    let two = try PixelNormalization(scale: [1, 2], offset: [3, 4])
    #expect(two.values(channel: 0)[10] == 13 && two.values(channel: 1)[10] == 24 && two.values(channel: 1)[255] == 514)
    let one = try PixelNormalization(scale: [2], offset: [3])
    #expect(one.values(channel: 2)[10] == 23 && one.values(channel: 0).count == 256)
  }

  @Test("a tensor requires one normalization value per channel, or one for all", arguments: 1...4)
  func channels(count: Int) throws {
    let normalization = try PixelNormalization(
      scale: [Float](repeating: 1, count: count), offset: [Float](repeating: 0, count: count))
    for (channels, needed) in [(ImageToTensor.Channels.gray, 1), (.rgb, 3), (.rgba, 4)] {
      for encoding in [
        TensorPixelEncoding.float32(normalization), .quantizedInt8(normalization, scale: 1, zeroPoint: 0),
        .quantizedUInt8(normalization, scale: 1, zeroPoint: 0),
      ] {
        let error = error { try ImageToTensor(width: 1, height: 1, channels: channels, encoding: encoding) }
        #expect((error == nil) == (count == 1 || count >= needed))
        guard let error else { continue }
        #expect(error.code == .invalidParameter)
        #expect(error.message.contains("values for \(count) channels, but the tensor has \(needed)") == true)
      }
    }
  }

  @Test("quantized values and zero points are in the range of their type")
  func quantization() throws {
    func error(_ encoding: TensorPixelEncoding) -> ImageError? {
      self.error { try ImageToTensor(width: 1, height: 1, encoding: encoding) }
    }
    for zeroPoint in [-129, -128, -1, 0, 127, 128, 255, 256] {
      let signed = error(.quantizedInt8(.unchanged, scale: 1, zeroPoint: zeroPoint))
      #expect((signed == nil) == (-128...127).contains(zeroPoint))
      let unsigned = error(.quantizedUInt8(.unchanged, scale: 1, zeroPoint: zeroPoint))
      #expect((unsigned == nil) == (0...255).contains(zeroPoint))
      #expect(unsigned == nil || unsigned?.message.hasSuffix("and the zero point in 0...255") == true)
    }
    for scale in [0, -1, .infinity, .nan] as [Float] {
      #expect(error(.quantizedInt8(.unchanged, scale: scale, zeroPoint: 0))?.code == .invalidParameter)
    }
    #expect(TensorPixelEncoding.uint8.bytesPerElement == 1 && TensorPixelEncoding.int8.bytesPerElement == 1)
    #expect(TensorPixelEncoding.float32(.unchanged).bytesPerElement == 4)
    #expect(TensorPixelEncoding.quantizedInt8(.unchanged, scale: 1, zeroPoint: 0).bytesPerElement == 1)
    #expect(TensorPixelEncoding.quantizedUInt8(.unchanged, scale: 1, zeroPoint: 0).bytesPerElement == 1)
    // Each channel has its own table; halves round away from zero.
    let image = try ImageBuffer(bytes: [0, 100, 255], width: 1, height: 1, pixelFormat: .rgb8)
    let normalization = try PixelNormalization(scale: [1, 1, 1], offset: [-3, 1, 0])
    var signed = try ImageToTensor(
      width: 1, height: 1, encoding: .quantizedInt8(normalization, scale: 2, zeroPoint: -1))
    #expect(try signed.tensor(of: image).map { Int8(bitPattern: $0) } == [-3, 50, 127])
    var unsigned = try ImageToTensor(
      width: 1, height: 1, encoding: .quantizedUInt8(normalization, scale: 2, zeroPoint: 1))
    #expect(try unsigned.tensor(of: image) == [0, 52, 129])
  }

  // MARK: YUV

  @Test("encodings have documented defaults and factors")
  func yuv() {
    let plain = YUVEncoding(range: .video)
    #expect(plain.matrix == .bt601 && plain.chromaOrder == .blueFirst && plain.range == .video)
    let other = YUVEncoding(range: .full, matrix: .bt2020, chromaOrder: .redFirst)
    #expect(other.range == .full && other.matrix == .bt2020 && other.chromaOrder == .redFirst)
    // In units of 1/65536, from the red and blue luma weights in the recommendations.
    func factors(_ encoding: YUVEncoding) -> [Int32] {
      let c = encoding.conversion
      return [c.black, c.luma, c.redFromV, c.greenFromU, c.greenFromV, c.blueFromU]
    }
    #expect(factors(.init(range: .full, matrix: .bt601)) == [0, 65536, 91881, -22553, -46802, 116130])
    #expect(factors(.init(range: .video, matrix: .bt601)) == [16, 76309, 104597, -25675, -53279, 132201])
    #expect(factors(.init(range: .full, matrix: .bt709)) == [0, 65536, 103206, -12276, -30679, 121609])
    #expect(factors(.init(range: .video, matrix: .bt709)) == [16, 76309, 117489, -13975, -34925, 138438])
    #expect(factors(.init(range: .full, matrix: .bt2020)) == [0, 65536, 96639, -10784, -37444, 123299])
  }

  @Test("planes of odd sizes and padded rows end exactly at their last pair")
  func planes() throws {
    let encoding = YUVEncoding(range: .full)
    func error(luma: Int, chroma: Int) -> ImageError? {
      self.error {
        try [UInt8](repeating: 128, count: luma).withUnsafeBytes { lumaPlane in
          try [UInt8](repeating: 128, count: chroma).withUnsafeBytes { chromaPlane in
            try ImageBuffer(
              lumaPlane: lumaPlane, lumaBytesPerRow: 10, chromaPlane: chromaPlane, chromaBytesPerRow: 12, width: 7,
              height: 3, encoding: encoding)
          }
        }
      }
    }
    #expect(error(luma: 27, chroma: 20) == nil)
    #expect(error(luma: 26, chroma: 20)?.code == .tooFewBytes && error(luma: 27, chroma: 19)?.code == .tooFewBytes)
  }

  // MARK: Boxes

  @Test("boxes are usable if they have an area and finite edges")
  func boxes() {
    let box = UprightBox<Float>(x: 1, y: 2, width: 3, height: 4)
    #expect(box.isUsable && box.area == 12 && box.right == 4 && box.bottom == 6 && box.center == (2.5, 4))
    for path in [\UprightBox<Float>.width, \.height] {
      for value in [0, -1, .nan, .infinity] as [Float] {
        var other = box
        other[keyPath: path] = value
        #expect(!other.isUsable && (other.area == 0 || value == .infinity), "\(value)")
      }
    }
    for path in [\UprightBox<Float>.x, \.y] {
      for value in [Float.nan, .infinity, -.infinity] {
        var other = box
        other[keyPath: path] = value
        #expect(!other.isUsable)
        #expect(box.intersection(with: other).area == 0 && other.intersection(with: box).area == 0)
      }
    }
    // A part of 1 × 2 pixels of an image of 12 × 8 pixels.
    let other = UprightBox<Float>(x: 3, y: 4, width: 2, height: 4)
    #expect(box.intersection(with: other) == UprightBox(x: 3, y: 4, width: 1, height: 2))
    #expect(box.intersectionOverUnion(with: other) == Float(2) / 18)
    let beside = UprightBox<Float>(x: 3, y: 6, width: 2, height: 4)
    #expect(box.intersection(with: beside) == UprightBox(x: 3, y: 6, width: 0, height: 0))
    #expect(box.intersectionOverUnion(with: beside) == 0)
  }

  // MARK: Warps

  @Test("positions without drift are settled even on ties, and others only away from ties")
  func settled() {
    func positions(_ change: (inout WarpMatrix) -> Void = { _ in }) -> [Int32?] {
      var matrix = WarpMatrix.identity
      change(&matrix)
      let path = WarpPath(matrix, tensorWidth: 8, tensorHeight: 4)
      let positions = SettledPositions(matrix, path, tensorWidth: 8, tensorHeight: 4)
      return [positions.settledHorizontal(column: 3, row: 0), positions.settledVertical(column: 0, row: 2)]
    }
    #expect(positions() == [96, 64])
    // Half a step: ties go to the even number.
    #expect(positions { ($0.m02, $0.m12) = (0.015625, 0.046875) } == [96, 66])
    // With the slightest shear or perspective, a tie is not settled.
    #expect(positions { ($0.m02, $0.m12, $0.m01) = (0.015625, 0.046875, 1e-15) } == [nil, 66])
    #expect(positions { ($0.m02, $0.m12, $0.m10) = (0.015625, 0.046875, 1e-15) } == [96, nil])
    #expect(positions { ($0.m02, $0.m12, $0.m20) = (0.015625, 0.046875, 1e-15) } == [nil, nil])
    #expect(positions { ($0.m01, $0.m10) = (1e-15, 1e-15) } == [96, 64])
  }
}
