import SwiftletTestSupport
import Testing

@testable import LiteRT

@Suite("TensorBuffer")
struct TensorBufferTests {
  private let pair = TensorType(elementType: .float32, layout: Layout(dimensions: [2]))

  private func error(_ body: () throws -> Void) -> LiteRtError? { thrownError(body) }

  private func buffer(_ type: TensorType, size: Int, kind: TensorBufferType = .hostMemory) throws -> TensorBuffer {
    try TensorBuffer(environment: try Environment(), bufferType: kind, tensorType: type, size: size)
  }

  @Test("contains zeros, then the written values, for any plain type")
  func values() throws {
    let buffer = try buffer(pair, size: 12)
    #expect(buffer.size == 8 && buffer.bufferSize == 12 && buffer.offset == 0)
    #expect(buffer.type == .hostMemory && buffer.tensorType == pair)
    #expect(try buffer.read() == [Float(0), 0])
    try buffer.write([Float(1.5), -2])
    #expect(try buffer.read() == [Float(1.5), -2])
    #expect(try buffer.read() == [UInt32(0x3FC0_0000), 0xC000_0000])
    try buffer.write([Float(7)])
    #expect(try buffer.read() == [Float(7), -2])
    let triples: [(Float, Float, Float)] = try buffer.read()
    #expect(triples.isEmpty)
    let whole: [Double] = try buffer.read()
    #expect(whole.count == 1)
    try buffer.write([Float]())
    #expect(error { try buffer.write([Float(1), 2, 3]) } == .invalidArgument)
  }

  @Test("types with references in them are rejected")
  func references() throws {
    let buffer = try buffer(pair, size: 8)
    #expect(error { try buffer.write(["text"]) } == .invalidArgument)
    #expect(error { let _: [String] = try buffer.read() } == .invalidArgument)
  }

  @Test("is locked for writing and reading")
  func locking() throws {
    let buffer = try buffer(pair, size: 8)
    let memory = try buffer.lock(mode: .write)
    #expect(Int(bitPattern: memory) % 64 == 0)
    memory.storeBytes(of: 5.5, as: Float.self)
    memory.storeBytes(of: 6.6, toByteOffset: 4, as: Float.self)
    try buffer.unlock()
    #expect(try buffer.read() == [Float(5.5), 6.6])
  }

  @Test("uses an app's memory in place, and doesn't release it")
  func hostMemory() throws {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 9, alignment: 64)
    defer { memory.deallocate() }
    for start in [memory, memory + 1] {
      let buffer = try TensorBuffer(hostBufferAddressAddress: start, size: 8, tensorType: pair)
      try buffer.write([Float(1.2), 3.4])
      #expect(try buffer.read() == [Float(1.2), 3.4] && buffer.lock(mode: .read) == start)
      #expect(start.loadUnaligned(as: Float.self) == 1.2)
    }
  }

  @Test("passes Metal memory through, on which no model runs")
  func metal() throws {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 64)
    defer { memory.deallocate() }
    let buffer = try TensorBuffer(
      metalBuffer: memory, size: 8, tensorType: pair, bufferType: .metalBuffer, environment: try Environment())
    #expect(try buffer.metalMemory() == memory && buffer.type == .metalBuffer && buffer.size == 8)
    #expect(error { _ = try buffer.lock(mode: .read) } == .unsupported)
    #expect(error { try buffer.write([Float(1)]) } == .unsupported)
    #expect(error { let _: [Float] = try buffer.read() } == .unsupported)
    #expect(error { _ = try self.buffer(pair, size: 8).metalMemory() } == .unsupported)
  }

  @Test("inconsistent sizes are errors")
  func sizes() throws {
    for size in [0, -1, 7, Int.min] { #expect(error { _ = try buffer(pair, size: size) } == .invalidArgument) }
    for size in [.max, (1 << 31) + 1] as [Int] {
      #expect(error { _ = try buffer(pair, size: size) } == .memoryAllocationFailure)
    }
    #expect(error { _ = try buffer(pair, size: 8, kind: .glBuffer) } == .unsupported)
    let large = TensorType(elementType: .float64, layout: Layout(dimensions: [.max, .max]))
    #expect(try buffer(large, size: 8).size == 8)
    let open = TensorType(elementType: .float32, layout: Layout(dimensions: [-1, 2]))
    #expect(try buffer(open, size: 24).size == 24)
    let nibbles = TensorType(elementType: .int4, layout: Layout(dimensions: [5]))
    #expect(try buffer(nibbles, size: 3).size == 3)
  }
}
