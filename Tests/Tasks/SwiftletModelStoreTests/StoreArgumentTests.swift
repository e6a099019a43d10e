import Foundation
import ModelStoreTestSupport
import SwiftletModelStore
import SwiftletTestSupport
import Testing

@Suite("Arguments of the model store")
struct StoreArgumentTests {
  static let durations: [Duration] = [
    .zero, .nanoseconds(1), .nanoseconds(-1), .seconds(-1), .seconds(60), .seconds(Int64.max), .seconds(Int64.min),
    Duration(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999),
    Duration(secondsComponent: .min, attosecondsComponent: 0),
  ]
  static let integers: [Int] = [.min, -1, 0, 1, .max]

  private typealias Change = (inout ModelStoreOptions) -> Void

  @Test("options of any value give a model or an error")
  func options() async throws {
    let bytes = SampleModel.bytes(5000)
    let server = try LoopbackServer { request in
      request.path == "/fails" ? LoopbackResponse(status: 503) : .file(bytes, etag: "\"e\"", for: request)
    }
    let changes: [Change] =
      Self.durations.flatMap { value -> [Change] in
        [
          { $0.stallTime = value }, { $0.transferTimeLimit = value }, { $0.retryDelays = [value, value] },
          { $0.maximumRetryDelay = value },
          {
            $0.stallTime = value
            $0.stallByteCount = 0
          },
        ]
      }
      + Self.integers.flatMap { value -> [Change] in
        [{ $0.totalByteLimit = Int64(value) }, { $0.modelByteLimit = Int64(value) }, { $0.stallByteCount = value }]
      }
    for change in changes {
      let store = TestStore(change)
      for path in ["/m", "/fails"] {
        let model = RemoteModel(name: SampleModel.name(), url: server.url(path))
        let error = await store.failure(model)
        if error == nil { #expect(store.isInstalled(model)) }
      }
    }
  }

  @Test("URLs with invalid ports, and files with any sizes and times, are handled")
  func addresses() async throws {
    let server = try LoopbackServer { .file(SampleModel.bytes(5000), etag: "\"e\"", for: $0) }
    let store = TestStore { $0.retryDelays = [] }
    for text in [
      "http://127.0.0.1:0/m", "http://127.0.0.1:65536/m", "http://127.0.0.1:99999999999/m", "http://127.0.0.1:-1/m",
      "http://[::1]:99999999999999999999/m",
    ] {
      guard let url = URL(string: text) else { continue }
      #expect(
        await store.failure(RemoteModel(name: SampleModel.name(), url: url))
          != nil, "\(text)")
    }
    for size in Self.integers + [5000] {
      for expires in [
        Date.distantPast, .distantFuture, Date(timeIntervalSince1970: 1e300), Date(timeIntervalSince1970: -1e300),
      ] {
        let error = await store.failure(
          .fixed(RemoteModelFile(url: server.url("/m"), expires: expires, size: Int64(size))))
        #expect((error == nil) == (size == 5000), "\(size): \(String(describing: error))")
      }
    }
  }

  @Test("server messages and names are sanitized in error messages")
  func messages() async throws {
    let hostile = "\u{1B}]0;title\u{7}\u{1B}[2J\u{202E}evil\u{2066}\n\r\u{85}"
    let body = try JSONSerialization.data(withJSONObject: ["error": ["message": hostile]])
    let server = try LoopbackServer { _ in LoopbackResponse(status: 404, body: Array(body)) }
    let store = TestStore()
    let errors = [
      await store.failure(
        RemoteModel(name: SampleModel.name(), url: server.url("/m"))),
      ModelStoreError(.notFound, hostile),
      thrown {
        try store.modelStore.installedModel(RemoteModel(name: hostile, url: server.url("/m")))
      },
    ]
    for error in errors {
      let text = try #require(error.map { "\($0) \($0.localizedDescription)" })
      #expect(text.contains("evil"))
      #expect(
        !text.unicodeScalars.contains {
          $0.value < 0x20 || (0x7F...0x9F).contains($0.value) || (0x202A...0x202E).contains($0.value)
            || (0x2066...0x2069).contains($0.value)
        }, "\(text)")
    }
  }

  private func thrown(_ body: () throws -> Any) -> ModelStoreError? {
    do {
      _ = try body()
      return nil
    } catch {
      return error as? ModelStoreError
    }
  }
}
