package objectstore

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// S3 is a bucket of a server that speaks S3, addressed by path. Keys have letters, digits, `-`, `.`, `_` and `/` only.
type S3 struct {
	Endpoint  string // such as http://127.0.0.1:7070
	Bucket    string
	AccessKey string
	SecretKey string
	Client    *http.Client
}

const region = "us-east-1"

// CreateBucket makes the bucket, unless it is there.
func (s *S3) CreateBucket(ctx context.Context) error {
	_, status, err := s.request(ctx, http.MethodPut, "", nil)
	if status == http.StatusConflict {
		return nil
	}
	return err
}

// Put writes an object.
func (s *S3) Put(ctx context.Context, key string, object []byte) error {
	_, _, err := s.request(ctx, http.MethodPut, "/"+key, object)
	return err
}

// Get reads an object.
func (s *S3) Get(ctx context.Context, key string) ([]byte, error) {
	object, status, err := s.request(ctx, http.MethodGet, "/"+key, nil)
	if status == http.StatusNotFound {
		return nil, ErrNotFound
	}
	return object, err
}

func (s *S3) request(ctx context.Context, method, path string, body []byte) ([]byte, int, error) {
	url := strings.TrimSuffix(s.Endpoint, "/") + "/" + s.Bucket + path
	request, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(body))
	if err != nil {
		return nil, 0, err
	}
	s.sign(request, body, time.Now().UTC())
	answer, err := s.Client.Do(request)
	if err != nil {
		return nil, 0, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, answer.StatusCode, fmt.Errorf("%s %s: %w", method, url, err)
	}
	if answer.StatusCode/100 != 2 {
		return nil, answer.StatusCode, fmt.Errorf("%s %s: %s: %.200s", method, url, answer.Status, text)
	}
	return text, answer.StatusCode, nil
}

// sign adds a signature of version 4, as "Authenticating Requests" of the S3 API reference describes it.
func (s *S3) sign(request *http.Request, body []byte, now time.Time) {
	const signed = "host;x-amz-content-sha256;x-amz-date"
	moment, day := now.Format("20060102T150405Z"), now.Format("20060102")
	hash := sha256.Sum256(body)
	digest := hex.EncodeToString(hash[:])
	request.Header.Set("x-amz-content-sha256", digest)
	request.Header.Set("x-amz-date", moment)
	canonical := strings.Join([]string{
		request.Method, request.URL.EscapedPath(), request.URL.RawQuery,
		"host:" + request.URL.Host, "x-amz-content-sha256:" + digest, "x-amz-date:" + moment,
		"", signed, digest,
	}, "\n")
	hash = sha256.Sum256([]byte(canonical))
	scope := day + "/" + region + "/s3/aws4_request"
	text := "AWS4-HMAC-SHA256\n" + moment + "\n" + scope + "\n" + hex.EncodeToString(hash[:])
	key := []byte("AWS4" + s.SecretKey)
	for _, part := range []string{day, region, "s3", "aws4_request"} {
		key = keyed(key, part)
	}
	request.Header.Set("Authorization", fmt.Sprintf(
		"AWS4-HMAC-SHA256 Credential=%s/%s,SignedHeaders=%s,Signature=%x",
		s.AccessKey, scope, signed, keyed(key, text)))
}

func keyed(key []byte, text string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(text))
	return mac.Sum(nil)
}
