import Foundation
import ModelStoreTestSupport
import SwiftletModelStore
import SwiftletTestSupport
import SwiftletBase
import Testing

@Suite("A storm of faults")
struct FaultStormTests {
  /// Random responses: correct ones among all kinds of faulty ones.
  private final class Weather: Sendable {
    private let random: Mutex<SplitMix64>

    init(seed: UInt64) { random = Mutex(SplitMix64(state: seed)) }

    func next(_ bound: Int) -> Int { random.withLock { Int.random(in: 0..<bound, using: &$0) } }

    func info() -> LoopbackResponse? {
      switch next(12) {
      case 0: LoopbackResponse(status: 500)
      case 1: LoopbackResponse(status: 404)
      case 2: LoopbackResponse(status: 429)
      case 3: LoopbackResponse(headers: ["ETag": "x"], json: "{")
      case 4: LoopbackResponse(raw: [])
      default: nil
      }
    }

    func file(_ bytes: [UInt8], _ request: LoopbackServer.Request, etag: String) -> LoopbackResponse? {
      let file = LoopbackResponse.file(bytes, etag: etag, for: request)
      switch next(14) {
      case 0: return LoopbackResponse(status: 503)
      case 1: return LoopbackResponse(status: 400)
      case 2: return LoopbackResponse(status: 403)
      case 3, 4, 5: return file.delivered(.cut(after: next(max(1, file.body.count))))
      case 6: return file.delivered(.reset(after: next(max(1, file.body.count))))
      case 7: return LoopbackResponse(body: Array(bytes.reversed()))
      case 8: return LoopbackResponse(body: Array(bytes.dropLast(3)))
      case 9: return LoopbackResponse(raw: [])
      default: return nil
      }
    }
  }

  @Test("only ever exposes complete versions, and ends with the newest one", arguments: [1, 2, 3, 4] as [UInt64])
  func storm(seed: UInt64) async throws {
    let weather = Weather(seed: seed)
    let isCalm = Mutex(false)
    let current = Mutex((bytes: SampleModel.bytes(20_000, seed: seed), number: 1))
    let firebase = try FakeFirebase(
      .init(bytes: current.withLock { $0.bytes }, hash: "\"hash-1\"", expireTime: "2000-01-01T00:00:00Z"),
      info: { _, _ in isCalm.withLock { $0 } ? nil : weather.info() },
      file: { _, request in
        guard !isCalm.withLock({ $0 }) else { return nil }
        return current.withLock { weather.file($0.bytes, request, etag: "\"file-\($0.number)\"") }
      })
    let store = TestStore()
    let model = firebase.model()
    var versions: [String: [UInt8]] = ["\"hash-1\"": current.withLock { $0.bytes }]
    var errors: [ModelStoreError.Code: Int] = [:]
    for round in 1...25 {
      if let error = await store.failure(model) { errors[error.code, default: 0] += 1 }
      if let record = store.modelStore.record(of: model) {
        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: store.modelStore.installedModel(model).path)))
        #expect(SHA256.hex(of: bytes) == record.sha256)
        #expect(record.version.flatMap { versions[$0] } == bytes, "round \(round): not a version that was published")
      }
      #expect(store.modelFiles.count <= 1)
      if round.isMultiple(of: 6) {
        let next = current.withLock { current in
          current = (SampleModel.bytes(20_000, seed: seed &+ UInt64(round)), current.number + 1)
          return current
        }
        versions["\"hash-\(next.number)\""] = next.bytes
        firebase.publish(.init(bytes: next.bytes, hash: "\"hash-\(next.number)\"", expireTime: "2000-01-01T00:00:00Z"))
      }
    }
    #expect(errors.count >= 3, "the storm was none: \(errors)")
    isCalm.withLock { $0 = true }
    let local = try await store.download(model)
    #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: local.path))) == current.withLock { $0.bytes })
    #expect(store.files.count == 2)
  }
}
