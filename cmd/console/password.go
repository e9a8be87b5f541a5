package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"lockstep/web/account"
)

// passwordFlags say where a password comes from.
type passwordFlags struct {
	PasswordFile string `type:"path" placeholder:"FILE" help:"Read the password from the first line of FILE (default: ask on a terminal, else the first line of standard input)."`
}

// hash asks for the password of an account and returns its hash.
func (f passwordFlags) hash(ctx context.Context, term terminal, name string) (string, error) {
	password, err := f.read(ctx, term, name)
	if err != nil {
		return "", err
	}
	if err := account.CheckPassword(name, password); err != nil {
		return "", usageError{field: "password", message: err.Error()}
	}
	passwords, err := account.NewPasswords()
	if err != nil {
		return "", err
	}
	return passwords.Hash(ctx, password)
}

func (f passwordFlags) read(ctx context.Context, out terminal, name string) (string, error) {
	if f.PasswordFile != "" {
		file, err := os.Open(f.PasswordFile)
		if err != nil {
			return "", usage("password-file", err)
		}
		defer file.Close()
		return firstLine(file)
	}
	stdin := int(os.Stdin.Fd())
	if !term.IsTerminal(stdin) {
		return firstLine(os.Stdin)
	}
	ask := func(prompt string) (string, error) {
		fmt.Fprint(out.err, prompt)
		typed, err := readHidden(ctx, stdin)
		fmt.Fprintln(out.err)
		return typed, err
	}
	first, err := ask("Password of " + name + ": ")
	if err != nil {
		return "", fmt.Errorf("read password: %w", err)
	}
	if err := account.CheckPassword(name, first); err != nil { // before it is typed again in vain
		return "", usageError{field: "password", message: err.Error()}
	}
	second, err := ask("Once more: ")
	if err != nil {
		return "", fmt.Errorf("read password: %w", err)
	}
	if first != second {
		return "", usageError{field: "password", message: "the two passwords differ; nothing was changed"}
	}
	return first, nil
}

// readHidden reads a line from a terminal without echo, until ctx ends.
func readHidden(ctx context.Context, fd int) (string, error) {
	before, err := term.GetState(fd)
	if err != nil {
		return "", err
	}
	type line struct {
		text []byte
		err  error
	}
	// Reading a terminal cannot be broken off. Nobody waits for this goroutine
	// when ctx ends, because the command ends then.
	read := make(chan line, 1)
	go func() {
		text, err := term.ReadPassword(fd)
		read <- line{text, err}
	}()
	select {
	case typed := <-read:
		return string(typed.text), typed.err
	case <-ctx.Done():
		return "", errors.Join(ctx.Err(), term.Restore(fd, before))
	}
}

// firstLine is a password that a program hands over.
func firstLine(r io.Reader) (string, error) {
	line, err := bufio.NewReader(io.LimitReader(r, 64<<10)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("read password: %w", err)
	}
	return strings.TrimRight(line, "\r\n"), nil
}
