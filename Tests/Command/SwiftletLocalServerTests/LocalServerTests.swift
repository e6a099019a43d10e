import Foundation
import SwiftletTestSupport
import Testing

@testable import SwiftletLocalServer

#if !os(Windows)
  /// A server on a free port, and raw clients of it.
  @Suite struct LocalServerTests {
    private func server(
      _ change: (inout ServerLimits) -> Void = { _ in }, handler: @escaping LocalServer.Handler = Self.echo
    ) throws -> LocalServer {
      var limits = ServerLimits()
      limits.transferTime = .milliseconds(500)
      limits.idleTime = .milliseconds(500)
      change(&limits)
      let server = try LocalServer(port: 0, limits: limits, handler: handler)
      server.start()
      return server
    }

    private static let echo: LocalServer.Handler = { HTTPResponse("text/plain", Array($0.path.utf8) + $0.body) }

    private func head(_ server: LocalServer, _ line: String, _ more: String = "") -> String {
      "\(line) HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nX-Studio-Token: \(server.token)\r\n\(more)\r\n"
    }

    @Test func aConnectionServesSeveralRequests() throws {
      let server = try server(), client = try RawClient(server.port)
      for index in 0..<3 {
        client.send(head(server, "POST /a\(index)", "Content-Length: 3\r\n") + "xyz")
        #expect(client.response()?.body == "/a\(index)xyz")
      }
      // Two requests at once, the second one in parts.
      client.send(head(server, "GET /b") + "GET /c HTTP/1.1\r\nHo")
      #expect(client.response()?.body == "/b")
      client.send("st: 127.0.0.1:\(server.port)\r\nX-Studio-Token: \(server.token)\r\nConnection: close\r\n\r\n")
      #expect(client.response()?.body == "/c")
      #expect(client.isClosed)
    }

    @Test(arguments: 0...4) func aBodyArrivesInParts(count: Int) throws {
      let server = try server(), client = try RawClient(server.port)
      client.send(head(server, "POST /", "Content-Length: 4\r\n") + "wxyz".prefix(count))
      Thread.sleep(forTimeInterval: 0.05)
      client.send("wxyz".dropFirst(count) + head(server, "GET /next"))
      #expect(client.response()?.body == "/wxyz")
      #expect(client.response()?.body == "/next")
    }

    @Test func refusedRequestsAreAnsweredBeforeTheirBodies() throws {
      let server = try server(), client = try RawClient(server.port)
      client.send("POST / HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 100000000\r\n\r\n")
      let response = client.response()
      #expect(response?.status == 403)
      #expect(response?.body.contains("Host") == true)
    }

    @Test func limitsAreExact() throws {
      let server = try server {
        $0.bodyByteCount = 10
        $0.headByteCount = 300
      }
      for (count, status) in [(10, 200), (11, 413)] {
        let client = try RawClient(server.port)
        client.send(head(server, "POST /", "Content-Length: \(count)\r\n") + String(repeating: "x", count: count))
        #expect(client.response()?.status == status)
      }
      for (count, status) in [(300, 200), (301, 431)] {
        let client = try RawClient(server.port), empty = head(server, "GET /", "X: \r\n")
        let filler = String(repeating: "y", count: count + 4 - empty.utf8.count)
        client.send(head(server, "GET /", "X: \(filler)\r\n"))
        #expect(client.response()?.status == status)
      }
    }

    @Test func slowClientsAreDisconnected() throws {
      let server = try server()
      let slowHead = try RawClient(server.port)
      slowHead.send("GET / HT")
      #expect(slowHead.response()?.status == 408)
      let slowBody = try RawClient(server.port)
      slowBody.send(head(server, "POST /", "Content-Length: 5\r\n") + "x")
      #expect(slowBody.response()?.status == 408)
      let idle = try RawClient(server.port)
      #expect(idle.isClosed)
    }

    @Test func bodiesAndConnectionsAreLimitedInTotal() throws {
      let server = try server {
        $0.totalBodyByteCount = 100
        $0.connections = 3
        $0.transferTime = .seconds(5)
        $0.idleTime = .seconds(5)
      }
      let first = try RawClient(server.port)
      first.send(head(server, "POST /", "Content-Length: 80\r\n"))
      Thread.sleep(forTimeInterval: 0.1)
      let second = try RawClient(server.port)
      second.send(head(server, "POST /", "Content-Length: 21\r\n"))
      #expect(second.response()?.status == 503)
      first.send(String(repeating: "x", count: 80))
      #expect(first.response()?.status == 200)
      let others = try (0..<6).map { _ in try RawClient(server.port) }
      Thread.sleep(forTimeInterval: 0.2)
      #expect(others.count { $0.response(within: 0.2)?.status == 503 } >= 3)
    }

    @Test func theServerListensOnIPv6Too() throws {
      let server = try server()
      guard let client = try? RawClient(server.port, isIPv6: true) else { return }
      client.send("GET /x HTTP/1.1\r\nHost: [::1]:\(server.port)\r\nX-Studio-Token: \(server.token)\r\n\r\n")
      #expect(client.response()?.body == "/x")
    }

    @Test func aPortInUseIsAnError() throws {
      let server = try server()
      #expect { try LocalServer(port: server.port) { _ in HTTPResponse("text/plain", []) } } throws: {
        "\($0)".contains("127.0.0.1:\(server.port)")
      }
    }

    /// Two thousand mutated requests: each is answered or its connection is closed, and the server still works.
    @Test func hostileRequestsEndInAnErrorOrAClosedConnection() throws {
      let server = try server {
        $0.transferTime = .milliseconds(30)
        $0.idleTime = .milliseconds(30)
      }
      let seeds = [
        head(server, "GET /"), head(server, "POST /api/run?task=a", "Content-Length: 4\r\n") + "abcd",
        "GET / HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAA\r\n\r\n",
        head(server, "POST /", "Expect: 100-continue\r\nContent-Length: 4\r\n"),
        head(server, "POST /", "Transfer-Encoding: chunked\r\n") + "4\r\nabcd\r\n0\r\n\r\n",
        "\u{81}\u{fe}\u{ff}\u{ff}",
      ]
      let pieces = [
        "\r\n", "\n", "\0", ":", " ", "%", "%00", "..", "/../", "Content-Length: 99999999\r\n", "Host: evil\r\n",
        "Origin: http://evil.example\r\n", String(repeating: "A", count: 20_000), "\r\n\r\n", "GET / HTTP/1.1\r\n",
      ]
      // Most requests wait for a time limit, so several clients work at a time.
      DispatchQueue.concurrentPerform(iterations: 2000) { number in
        var generator = SplitMix64(state: UInt64(number))
        var bytes = Array(seeds[Int.random(in: seeds.indices, using: &generator)].utf8)
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
          let place = Int.random(in: 0...bytes.count, using: &generator)
          switch Int.random(in: 0..<4, using: &generator) {
          case 0:
            bytes.insert(contentsOf: Array(pieces[Int.random(in: pieces.indices, using: &generator)].utf8), at: place)
          case 1 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &generator)
          case 2: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 0...20, using: &generator)))
          default: bytes = Array(bytes[..<place])
          }
        }
        guard let client = try? RawClient(server.port) else { return }
        client.send(bytes)
        if Bool.random(using: &generator) { client.endSending() }
        while let response = client.response() {
          #expect([200, 400, 403, 408, 411, 413, 431, 501, 503, 505].contains(response.status))
        }
      }
      let client = try RawClient(server.port)
      client.send(head(server, "GET /alive"))
      #expect(client.response()?.body == "/alive")
    }
  }

  /// A client that sends any bytes.
  private final class RawClient {
    private let descriptor: Int32
    private var buffer: [UInt8] = []

    init(_ port: UInt16, isIPv6: Bool = false) throws {
      #if canImport(Darwin)
        let stream = SOCK_STREAM
      #else
        let stream = Int32(SOCK_STREAM.rawValue)
      #endif
      descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, stream, 0)
      var result: Int32
      if isIPv6 {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        address.sin6_addr = in6addr_loopback
        result = Self.connect(descriptor, &address)
      } else {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
        result = Self.connect(descriptor, &address)
      }
      guard result == 0 else { throw POSIXError(.ECONNREFUSED) }
    }

    deinit { close(descriptor) }

    private static func connect<Address>(_ descriptor: Int32, _ address: inout Address) -> Int32 {
      withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
        }
      }
    }

    func send(_ text: String) { send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) {
      #if canImport(Darwin)
        let flags: Int32 = 0
      #else
        let flags = Int32(MSG_NOSIGNAL)
      #endif
      _ = bytes.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, flags) }
    }

    func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Whether the server closes the connection without another byte.
    var isClosed: Bool { buffer.isEmpty && !receive(within: 5) }

    /// Returns the next response; `nil` if the connection was closed.
    func response(within seconds: Double = 5) -> (status: Int, body: String)? {
      while true {
        let text = String(decoding: buffer, as: UTF8.self)
        if let end = text.range(of: "\r\n\r\n") {
          let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
          let count = lines.lazy.compactMap { line -> Int? in
            line.hasPrefix("Content-Length: ") ? Int(line.dropFirst(16)) : nil
          }.first
          let headCount = text[..<end.upperBound].utf8.count
          let status = Int(lines[0].split(separator: " ").dropFirst().first ?? "") ?? 0
          if status == 100 {
            buffer.removeFirst(headCount)
            continue
          }
          if let count, buffer.count >= headCount + count {
            let body = String(decoding: buffer[headCount..<headCount + count], as: UTF8.self)
            buffer.removeFirst(headCount + count)
            return (status, body)
          }
        }
        guard receive(within: seconds) else { return nil }
      }
    }

    private func receive(within seconds: Double) -> Bool {
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, Int32(seconds * 1000)) > 0 else { return false }
      var piece = [UInt8](repeating: 0, count: 1 << 16)
      let count = recv(descriptor, &piece, piece.count, 0)
      guard count > 0 else { return false }
      buffer += piece[..<count]
      return true
    }
  }
#endif
