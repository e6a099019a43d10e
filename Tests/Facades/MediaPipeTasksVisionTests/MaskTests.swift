import MediaPipeTasksVision
import Testing

@Suite("Mask")
struct MaskTests {
  @Test("bytes become floats of 0 to 1")
  func bytesToFloats() throws {
    let bytes: [UInt8] = [0, 51, 128, 255]
    let mask = try #require(Mask(uInt8Data: bytes, width: 2, height: 2, shouldCopy: true))
    #expect(mask.dataType == .uInt8)
    #expect(Array(UnsafeBufferPointer(start: mask.uint8Data, count: 4)) == bytes)
    let floats = Array(UnsafeBufferPointer(start: mask.float32Data, count: 4))
    #expect(floats == bytes.map { Float($0) / 255 })
    #expect(abs(floats[2] - 0.501) < 1e-3)
  }

  @Test("floats are truncated to bytes")
  func floatsToBytes() throws {
    let mask = try #require(Mask(float32Data: [0.52, 0, 1, 0.999, -1, 2, .nan], width: 7, height: 1, shouldCopy: true))
    #expect(mask.dataType == .float32)
    #expect(Array(UnsafeBufferPointer(start: mask.uint8Data, count: 7)) == [132, 0, 255, 254, 0, 255, 0])
  }

  @Test("uses the caller's memory or its own, as requested")
  func copying() {
    let bytes: [UInt8] = [1, 2, 3, 4, 5, 6]
    bytes.withUnsafeBufferPointer { memory in
      guard let first = memory.baseAddress else { return }
      let borrowed = Mask(uInt8Data: first, width: 3, height: 2, shouldCopy: false)
      let copied = Mask(uInt8Data: first, width: 3, height: 2, shouldCopy: true)
      #expect(borrowed?.uint8Data == first)
      #expect(copied?.uint8Data != first)
    }
    let floats: [Float] = [0.25, 0.5]
    floats.withUnsafeBufferPointer { memory in
      guard let first = memory.baseAddress else { return }
      #expect(Mask(float32Data: first, width: 1, height: 2, shouldCopy: false)?.float32Data == first)
      #expect(Mask(float32Data: first, width: 1, height: 2, shouldCopy: true)?.float32Data != first)
    }
  }

  @Test("returns the same pointer each time, also for converted values")
  func stablePointers() throws {
    let mask = try #require(Mask(uInt8Data: [1, 2], width: 2, height: 1, shouldCopy: true))
    #expect(mask.float32Data == mask.float32Data)
    #expect(mask.uint8Data == mask.uint8Data)
    let other = try #require(Mask(float32Data: [0, 1], width: 2, height: 1, shouldCopy: true))
    #expect(other.uint8Data == other.uint8Data)
  }

  @Test("returns the same pointer to concurrent threads")
  func threads() async throws {
    let mask = try #require(
      Mask(uInt8Data: [UInt8](repeating: 51, count: 10_000), width: 100, height: 100, shouldCopy: true))
    let pointers = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<8 { group.addTask { Int(bitPattern: mask.float32Data) } }
      return await group.reduce(into: Set<Int>()) { $0.insert($1) }
    }
    #expect(pointers.count == 1)
    #expect(mask.float32Data[9_999] == 0.2)
  }

  @Test("a copy has the same values in separate memory")
  func copy() throws {
    var bytes: [UInt8] = [9, 8]
    let copy = try bytes.withUnsafeMutableBufferPointer { memory in
      let first = try #require(memory.baseAddress)
      let borrowed = try #require(Mask(uInt8Data: first, width: 1, height: 2, shouldCopy: false))
      let copy = try #require(borrowed.copy() as? Mask)
      memory[0] = 0
      return copy
    }
    #expect(copy.width == 1 && copy.height == 2 && copy.dataType == .uInt8)
    #expect(Array(UnsafeBufferPointer(start: copy.uint8Data, count: 2)) == [9, 8])
    let floats = try #require(Mask(float32Data: [0.5], width: 1, height: 1, shouldCopy: true))
    let twin = try #require(floats.copy() as? Mask)
    #expect(twin.float32Data != floats.float32Data)
    #expect(twin.float32Data[0] == 0.5)
  }

  @Test("a mask without pixels is nil", arguments: [(0, 1), (1, 0), (-1, -1), (Int.max, 2)])
  func impossibleSizes(size: (width: Int, height: Int)) {
    #expect(Mask(uInt8Data: [0], width: size.width, height: size.height, shouldCopy: false) == nil)
    #expect(Mask(float32Data: [0], width: size.width, height: size.height, shouldCopy: true) == nil)
  }
}
