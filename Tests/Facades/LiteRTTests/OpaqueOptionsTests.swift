import SwiftletTestSupport
import Testing

@testable import LiteRT

@Suite("OpaqueOptions")
struct OpaqueOptionsTests {
  private func error(_ body: () throws -> Void) -> LiteRtError? { thrownError(body) }

  @Test("keep a name and a pointer, also within options")
  func keeping() throws {
    var number = 42
    try withUnsafeMutablePointer(to: &number) { pointer in
      let opaque = try OpaqueOptions(identifier: "first", payload: pointer)
      #expect(opaque.identifier == "first" && opaque.data == UnsafeMutableRawPointer(pointer) && opaque.next() == nil)
      let options = try Options()
      #expect(try options.opaqueOptions() == nil)
      try options.addOpaqueOptions(opaque)
      let kept = try #require(try options.opaqueOptions())
      #expect(kept.identifier == "first" && kept.data == UnsafeMutableRawPointer(pointer))
    }
  }

  @Test("form a chain that grows and shrinks at its end")
  func chain() throws {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 2, alignment: 1)
    defer { memory.deallocate() }
    let chain = try OpaqueOptions(identifier: "first", payload: memory)
    try chain.append(try OpaqueOptions(identifier: "second", payload: memory + 1))
    #expect(chain.next()?.identifier == "second" && chain.next()?.next() == nil)
    #expect(chain.findData(identifier: "second") == memory + 1 && chain.findData(identifier: "third") == nil)
    try chain.pop()
    #expect(chain.identifier == "first" && chain.next() == nil)
    try chain.pop()
    #expect(chain.identifier == "" && chain.data == nil && chain.findData(identifier: "first") == nil)
    #expect(error { try chain.pop() } == .runtimeFailure)
    #expect(error { try chain.append(chain) } == .runtimeFailure)
    let other = try OpaqueOptions(identifier: "other", payload: memory)
    #expect(error { try other.append(chain) } == .invalidArgument)
  }

  @Test("release a pointer after its last use")
  func destructor() throws {
    let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    defer { count.deallocate() }
    count.initialize(to: 0)
    do {
      let options = try Options()
      try options.addOpaqueOptions(
        try OpaqueOptions(identifier: "counted", payload: count) { $0?.assumingMemoryBound(to: Int.self).pointee += 1 })
      #expect(count.pointee == 0)
      withExtendedLifetime(options) {}
    }
    #expect(count.pointee == 1)
  }
}
