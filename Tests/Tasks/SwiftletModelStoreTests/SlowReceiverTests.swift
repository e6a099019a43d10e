import Foundation
import SwiftletTestSupport
import SwiftletBase
import Testing

@_spi(Facades) @testable import SwiftletModelStore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Receivers slower than servers")
struct SlowReceiverTests {
  /// Receives some bytes slowly, then gives up and records the number of bytes that the server has sent by then.
  private final class SlowReceiver: ExchangeReceiver {
    let calls = Atomic(0)
    let sent = Mutex(0)
    let sentAtEnd = Mutex(Int?.none)

    func begin(_ response: HTTPURLResponse) -> ExpectedBody { .content }

    func receive(_ bytes: Data) throws(ModelStoreError) {
      Thread.sleep(forTimeInterval: 0.01)
      if calls.add(1, ordering: .relaxed).newValue == 100 {
        sentAtEnd.withLock { $0 = sent.withLock { $0 } }
        throw ModelStoreError(.tooLarge, "enough")
      }
    }
  }

  @Test("a server that sends faster than its data is consumed must wait")
  func backPressure() async throws {
    let receiver = SlowReceiver()
    let server = try LoopbackServer { _ in
      var response = LoopbackResponse(
        body: [UInt8](repeating: 7, count: 1 << 16), length: .none, delivery: .endless(fastByteCount: 256 << 20))
      response.noteSent = { count in receiver.sent.withLock { $0 += count } }
      return response
    }
    var client = HTTPClient()
    client.options.allowsLoopbackHTTP = true
    let error = await #expect(throws: ModelStoreError.self) {
      try await client.exchange(URLRequest(url: server.url("/m")), receiver)
    }
    #expect(error?.code == .tooLarge)
    // The limit covers the system's buffers of a connection, some megabytes on both sides, and the queue. Without flow
    // control, the server sends hundreds of megabytes.
    #expect(try #require(receiver.sentAtEnd.withLock { $0 }) < 64 << 20)
  }

  #if canImport(FoundationNetworking)
    @Test("a full queue blocks its producer, and drops data while dropping")
    func deliveryQueue() {
      let queue = DeliveryQueue(capacity: 3)
      let gate = DispatchSemaphore(value: 0)
      let allAdded = DispatchSemaphore(value: 0)
      let added = Mutex(0)
      let done = Mutex([Int]())
      Thread.detachNewThread {
        for index in 0..<6 {
          queue.addOperation {
            gate.wait()
            done.withLock { $0.append(index) }
          }
          added.withLock { $0 += 1 }
        }
        allAdded.signal()
      }
      #expect(allAdded.wait(timeout: .now() + .milliseconds(200)) == .timedOut)
      #expect(added.withLock { $0 } == 3)
      for _ in 0..<6 { gate.signal() }
      allAdded.wait()
      queue.waitUntilAllOperationsAreFinished()
      queue.dropping { queue.addOperation { done.withLock { $0.append(6) } } }
      queue.addOperation { done.withLock { $0.append(7) } }
      queue.waitUntilAllOperationsAreFinished()
      #expect(done.withLock { $0 } == [0, 1, 2, 3, 4, 5, 7])
    }
  #endif
}
