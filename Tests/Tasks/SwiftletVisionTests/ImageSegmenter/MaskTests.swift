import Testing

@testable import SwiftletVision

@Suite("Mask")
struct MaskTests {
  @Test("bytes become floats over 255")
  func bytesToFloats() throws {
    let mask = try Mask(uInt8Data: [0, 128, 255, 51], width: 2, height: 2)
    #expect(mask.dataType == .uInt8)
    #expect(mask.uInt8Data == [0, 128, 255, 51])
    #expect(mask.float32Data == [0, Float(128) / 255, 1, 0.2])
    #expect(abs(mask.float32Data[1] - 0.501) < 1e-3)
  }

  @Test("floats become bytes by cutting their fraction off, within limits")
  func floatsToBytes() throws {
    let values: [Float] = [0.52, 1, 0, 0.999, -0.5, 2, .nan, .infinity, -.infinity]
    let mask = try Mask(float32Data: values, width: 3, height: 3)
    #expect(mask.dataType == .float32)
    #expect(mask.uInt8Data == [132, 255, 0, 254, 0, 255, 0, 255, 0])
    #expect(mask.float32Data[0..<6] == values[0..<6])
  }

  @Test("the own numbers are lent without a copy, the others as converted")
  func lending() throws {
    let mask = try Mask(uInt8Data: [51, 255], width: 2, height: 1)
    let first = mask.withUnsafeUInt8Data { $0.baseAddress }
    #expect(first != nil && mask.withUnsafeUInt8Data { $0.baseAddress } == first)
    let copy = mask
    #expect(copy.withUnsafeUInt8Data { $0.baseAddress } == first)
    #expect(mask.withUnsafeFloat32Data { Array($0) } == [0.2, 1])
    let floats = try Mask(float32Data: [0.25, 4], width: 2, height: 1)
    #expect(floats.withUnsafeFloat32Data { Array($0) } == [0.25, 4])
    #expect(floats.withUnsafeUInt8Data { Array($0) } == [63, 255])
  }

  @Test("masks are equal when size, type and numbers are")
  func equality() throws {
    let mask = try Mask(uInt8Data: [1, 2], width: 2, height: 1)
    #expect(try mask == Mask(uInt8Data: [1, 2], width: 2, height: 1))
    #expect(try mask != Mask(uInt8Data: [1, 3], width: 2, height: 1))
    #expect(try mask != Mask(uInt8Data: [1, 2], width: 1, height: 2))
    #expect(try mask != Mask(float32Data: [1, 2], width: 2, height: 1))
  }

  @Test("the numbers must fill the mask", arguments: [(3, 1), (0, 2), (2, 0), (-2, -1), (Int.max, 4)])
  func counts(width: Int, height: Int) {
    #expect(taskError { _ = try Mask(uInt8Data: [1, 2], width: width, height: height) }?.code == .invalidArgument)
    #expect(taskError { _ = try Mask(float32Data: [1, 2], width: width, height: height) }?.code == .invalidArgument)
  }
}
